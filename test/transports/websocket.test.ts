import { serveWebSocket } from "mcp-headway/websocket";
import { Subject } from "rxjs";
import { WebSocket } from "ws";
import { describeCarrier } from "./contract.ts";
import type { RawClient } from "./peer.ts";

describeCarrier("WebSocket", async (server, { closeGraceMs }) => {
  const handle = await serveWebSocket(server, { closeGraceMs });
  return { connect: () => connect(handle.url), close: () => handle.close() };
});

async function connect(url: string): Promise<RawClient> {
  const socket = new WebSocket(url, "mcp");
  const messages = new Subject<string>();
  socket.on("message", (data) => messages.next(data.toString()));
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return {
    messages,
    send: (text) => socket.send(text),
    close: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}
