// The official SDK over WebSocket: its server on one side, its client on the other, in both eras.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serveTransports, WebSocketClientTransport } from "mcp-headway/sdk/websocket";

const steps = ["boil", "steep", "pour"];

// #region server
function createServer(): McpServer {
  const server = new McpServer({ name: "kitchen", version: "1.0.0" });
  server.registerTool("brew", {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const [index, message] of steps.entries()) {
      if (progressToken === undefined) continue;
      const params = { progressToken, progress: index + 1, total: steps.length, message };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return { content: [{ type: "text", text: "Tea is ready" }] };
  });
  return server;
}

const { url, close } = await serveTransports((transport) => void serveStdio(createServer, { transport }));
// #endregion

async function brew(mode: "legacy" | { readonly pin: string }) {
  // #region client
  const client = new Client({ name: "guest", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new WebSocketClientTransport(url));
  // #endregion
  const heard: unknown[] = [];
  const { content } = await client.callTool({ name: "brew" }, { onprogress: ({ message }) => heard.push(message) });
  await client.close();
  return { content, heard };
}

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  const { content, heard } = await brew(mode);
  assert.deepEqual(heard, steps);
  assert.deepEqual(content, [{ type: "text", text: "Tea is ready" }]);
}
await close();

// What is wrong with a connection is said by its error.
await assert.rejects(new WebSocketClientTransport(url).start(), /^Error: Cannot connect to ws:.*ECONNREFUSED/);
console.log(`Both eras heard: ${steps.join(", ")}`);
