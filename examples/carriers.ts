// One server on two carriers and one port: HTTP and WebSocket clients hear the same updates.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { createMcpServer, defineTool } from "mcp-headway";
import { createHttpListener } from "mcp-headway/http";
import { WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import { collectProgress } from "mcp-headway/testing";
import { serveWebSocket } from "mcp-headway/websocket";

const brew = defineTool({
  name: "brew",
  description: "Makes tea",
  handler: async (_args, ctx) => {
    for await (const _step of ctx.track(["boil", "steep", "pour"], (step) => step));
    return "Tea is ready";
  },
});

// #region share
const server = createMcpServer({ name: "kitchen", version: "1.0.0", tools: [brew] });
const http = createServer(createHttpListener(server));
const sockets = await serveWebSocket(server, { server: http });
// #endregion
await once(http.listen(0, "127.0.0.1"), "listening");
const address = http.address();
assert.ok(typeof address === "object" && address !== null);

async function call(transport: Transport) {
  const client = new Client(
    { name: "guest", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  const progress = collectProgress();
  await client.callTool({ name: "brew" }, { onprogress: progress.onProgress });
  await client.close();
  return progress.all;
}

const overHttp = await call(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${address.port}/mcp`)));
const overWebSocket = await call(new WebSocketClientTransport(`ws://127.0.0.1:${address.port}/mcp`));
assert.deepEqual(overHttp, [
  { progress: 1, total: 3, message: "boil" },
  { progress: 2, total: 3, message: "steep" },
  { progress: 3, total: 3, message: "pour" },
]);
assert.deepEqual(overWebSocket, overHttp);
console.log(`Both heard: ${overHttp.map(({ message }) => message).join(", ")}`);

await sockets.close();
http.close();
