// How to move one tool of an official server to emitters: that tool changes, and nothing else.
import assert from "node:assert/strict";
import { setTimeout as work } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { withPromptContext, withResourceContext, withToolContext } from "mcp-headway/sdk";
import { z } from "zod";
import { listen } from "./official/listen.ts";

/** Stands in for storing a page. */
const store = (page: string) => work(page.length);

const inputSchema = z.object({ pages: z.array(z.string()) });

function buildServer() {
  const server = new McpServer({ name: "library", version: "1.0.0" });

  // #region before
  server.registerTool("scan_before", { inputSchema }, async ({ pages }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const [index, page] of pages.entries()) {
      await store(page);
      if (progressToken === undefined) continue;
      const params = { progressToken, progress: index + 1, total: pages.length, message: page };
      await ctx.mcpReq.notify({ method: "notifications/progress", params });
    }
    return { content: [{ type: "text", text: `Scanned ${pages.length} pages` }] };
  });
  // #endregion

  // #region after
  server.registerTool(
    "scan",
    { inputSchema },
    withToolContext(async ({ pages }, ctx) => {
      for await (const page of ctx.track(pages, (page) => page)) await store(page);
      return { content: [{ type: "text", text: `Scanned ${pages.length} pages` }] };
    }),
  );
  // #endregion

  // #region alone
  server.registerTool(
    "tidy",
    { description: "Tidies up" },
    withToolContext(async (ctx) => {
      ctx.percentProgress().complete(1, `tidied for request ${ctx.sdk.mcpReq.id}`);
      return { content: [] };
    }),
  );
  // #endregion

  // #region others
  server.registerPrompt(
    "summary",
    { argsSchema: z.object({ shelf: z.string() }) },
    withPromptContext(async ({ shelf }, ctx) => {
      ctx.progress(1, 1, `read shelf ${shelf}`);
      return { messages: [{ role: "user", content: { type: "text", text: `Sum up shelf ${shelf}` } }] };
    }),
  );
  server.registerResource(
    "shelf",
    new ResourceTemplate("shelf://{id}", { list: undefined }),
    {},
    withResourceContext(async (uri, { id }, ctx) => {
      ctx.progress(1, 1, `read shelf ${id}`);
      return { contents: [{ uri: uri.href, text: `All of shelf ${id}` }] };
    }),
  );
  // #endregion
  return server;
}

const { url, close } = await listen(createMcpHandler(buildServer));
const client = new Client({ name: "reader", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(url));

const seen = new Map<string, unknown[]>();
for (const name of ["scan_before", "scan", "tidy"]) {
  const updates: unknown[] = [];
  const args = name === "tidy" ? {} : { pages: ["cover", "index"] };
  await client.callTool({ name, arguments: args }, { onprogress: (update) => updates.push(update) });
  seen.set(name, updates);
}
assert.deepEqual(seen.get("scan"), [
  { progress: 1, total: 2, message: "cover" },
  { progress: 2, total: 2, message: "index" },
]);
assert.deepEqual(seen.get("scan"), seen.get("scan_before"));
assert.equal(seen.get("tidy")?.length, 1);

const messages: unknown[] = [];
const listening = { onprogress: ({ message }: { readonly message?: string | undefined }) => messages.push(message) };
const { contents } = await client.readResource({ uri: "shelf://7" }, listening);
await client.getPrompt({ name: "summary", arguments: { shelf: "8" } }, listening);
assert.deepEqual(contents, [{ uri: "shelf://7", text: "All of shelf 7" }]);
assert.deepEqual(messages, ["read shelf 7", "read shelf 8"]);
await client.close();
close();
console.log("The client sees the same, the tool says less");
