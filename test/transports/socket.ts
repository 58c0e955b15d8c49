import { once } from "node:events";
import { Subject } from "rxjs";
import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { Peer, type RawClient } from "./peer.ts";

/** Opens a real socket as a browser would. */
export async function openSocket(url: string, options: ClientOptions = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, "mcp", options);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

export function clientOf(socket: WebSocket): RawClient {
  const messages = new Subject<string>();
  socket.on("message", (data) => messages.next(data.toString()));
  return {
    messages,
    send: (text) => socket.send(text),
    close: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

export async function connectPeer(url: string, options?: ClientOptions) {
  const socket = await openSocket(url, options);
  return { socket, peer: new Peer(clientOf(socket)) };
}

/** The status that an upgrade is answered with: 101 when it is granted. */
export function upgradeStatus(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  protocols: readonly string[] = ["mcp"],
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, [...protocols], { headers });
    socket.once("upgrade", ({ statusCode }) => resolve(statusCode));
    socket.once("open", () => socket.terminate());
    socket.once("unexpected-response", (request, { statusCode }) => {
      resolve(statusCode);
      request.destroy();
    });
    socket.once("error", reject);
  });
}
