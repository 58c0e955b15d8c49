// Definitions on the official server: reports, questions and guards as on every other carrier, in both eras.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { defineTool } from "mcp-headway";
import { createMount } from "mcp-headway/sdk";
import { z } from "zod";
import { listen } from "./official/listen.ts";

const keys = [{ id: "2026-12", secret: randomBytes(32) }];

// #region tool
const print = defineTool({
  name: "print",
  description: "Prints a file once the user has chosen the paper",
  inputSchema: z.object({ pages: z.int().positive() }),
  handler: async ({ pages }, ctx) => {
    const { load, print } = ctx.phases({ load: 1, print: 4 });
    load.done("loaded");
    const paper = z.object({ size: z.enum(["A4", "A5"]) });
    const { content } = await ctx.elicit("Which paper?", paper);
    for await (const _page of print.track(Array.from({ length: pages })));
    return `Printed ${pages} pages on ${content?.size ?? "nothing"}`;
  },
});
// #endregion

// #region mount
const mount = createMount({ tools: [print] }, { requestState: { keys } });

const handler = createMcpHandler(() => {
  const server = new McpServer(
    { name: "office", version: "1.0.0" },
    { requestState: { verify: mount.verifyRequestState() } },
  );
  mount.registerOn(server);
  return server;
});
// #endregion

const { url, close } = await listen(handler);
const client = new Client(
  { name: "reader", version: "1.0.0" },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { size: "A5" } }));
await client.connect(new StreamableHTTPClientTransport(url));

const values: number[] = [];
const onprogress = ({ progress, total }: { readonly progress: number; readonly total?: number | undefined }) => {
  if (total !== undefined) values.push(progress);
};
const { content } = await client.callTool({ name: "print", arguments: { pages: 2 } }, { onprogress });
assert.deepEqual(content, [{ type: "text", text: "Printed 2 pages on A5" }]);
assert.deepEqual(values, [0.2, 0.6, 1]);
await client.close();
close();
console.log(`Asked in the middle, and the bar went ${values.join(", ")}`);
