import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
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

/** A socket on which every byte is ours: after the handshake, nothing is read or written by a library. */
export async function openBare(url: string): Promise<Duplex> {
  const request = get(url.replace(/^ws/, "http"), {
    headers: {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
      "Sec-WebSocket-Protocol": "mcp",
    },
  });
  const [, socket, head] = (await once(request, "upgrade")) as [IncomingMessage, Duplex, Buffer];
  onTestFinished(() => void socket.destroy());
  socket.unshift(head);
  return socket;
}

/** A client's text message, under a mask of zeros. */
export function maskedText(payload: string, length = Buffer.byteLength(payload)): Buffer {
  const header = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0]);
  header.writeUInt16BE(length, 2);
  return Buffer.concat([header, Buffer.from(payload)]);
}

/** A client's close frame that says 1000. */
export const maskedClose = Buffer.from([0x88, 0x80 | 2, 0, 0, 0, 0, 0x03, 0xe8]);

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
