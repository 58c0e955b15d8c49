// Clients of 2025 on the official server: with a session each, they can be asked as well.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { defineTool } from "mcp-headway";
import { createMount } from "mcp-headway/sdk";
import { z } from "zod";

const bind = defineTool({
  name: "bind",
  description: "Binds a book once the user has chosen the cover",
  handler: async (_args, ctx) => {
    const { content } = await ctx.elicit("Which cover?", z.object({ cover: z.enum(["cloth", "leather"]) }));
    return `Bound in ${content?.cover ?? "nothing"}`;
  },
});
const keys = [{ id: "2026-12", secret: randomBytes(32) }];
const mount = createMount({ tools: [bind] }, { requestState: { keys } });

function createOffice(): McpServer {
  const server = new McpServer(
    { name: "office", version: "1.0.0" },
    { requestState: { verify: mount.verifyRequestState() } },
  );
  mount.registerOn(server);
  return server;
}

// #region route
const modern = createMcpHandler(createOffice, { legacy: "reject" });
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function serveOld(request: Request): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  if (id !== null) return sessions.get(id)?.handleRequest(request) ?? new Response(null, { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await createOffice().connect(transport);
  return transport.handleRequest(request);
}

const handle = toNodeHandler({
  fetch: async (request) => ((await isLegacyRequest(request)) ? serveOld(request) : modern.fetch(request)),
});
// #endregion

const http = createServer((request, response) => void handle(request as Parameters<typeof handle>[0], response));
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
const { port } = http.address() as { readonly port: number };

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  const client = new Client(
    { name: "reader", version: "1.0.0" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { cover: "cloth" } }));
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
  await client.connect(transport);
  const { content } = await client.callTool({ name: "bind", arguments: {} });
  assert.deepEqual(content, [{ type: "text", text: "Bound in cloth" }]);
  assert.equal(sessions.size, mode === "legacy" ? 1 : 0);
  if (mode === "legacy") await transport.terminateSession();
  await client.close();
}
http.closeAllConnections();
http.close();
console.log("Clients of both eras were asked, the old one in a session that has ended");
