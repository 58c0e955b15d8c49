// node build/checksum/server.js http|websocket|stdio [root]
import { randomBytes } from "node:crypto";
import { createMcpServer } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { serveStdio } from "mcp-headway/stdio";
import { serveWebSocket } from "mcp-headway/websocket";
import { checksumTree } from "./tool.ts";

const [carrier, root = "."] = process.argv.slice(2);

const server = createMcpServer(
  { name: "checksum", version: "1.0.0", tools: [checksumTree(root)] },
  // What the file system says of a failure names paths outside of the client's view.
  // This process serves all rounds of its calls, so nobody else needs the key.
  { maskErrors: true, requestState: { keys: [{ id: "process", secret: randomBytes(32) }] } },
);

switch (carrier) {
  case "stdio":
    serveStdio(server);
    break;
  case "http":
    announce(await serveHttp(server));
    break;
  case "websocket":
    announce(await serveWebSocket(server));
    break;
  default:
    console.error("Expected the carrier to be http, websocket or stdio");
    process.exitCode = 2;
}

/** Says where it listens, to a parent process if there is one, and leaves with it. */
function announce(listener: { readonly url?: string; close(): Promise<void> }): void {
  if (process.send) process.send(listener.url);
  else console.log(listener.url);
  const leave = async () => {
    await listener.close();
    if (process.connected) process.disconnect();
  };
  for (const event of ["SIGINT", "SIGTERM", "disconnect"]) process.once(event, leave);
}
