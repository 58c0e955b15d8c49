import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { refuseUpgrade } from "./upgrade.ts";

/** How long others may take to serve an upgrade, in milliseconds. */
const lookAgainMs = 2_000;

/** Answers an upgrade with 404 if nobody has begun to serve it by then. */
export function refuseUnserved(socket: Duplex): void {
  const written = bytesWritten(socket);
  const timer = setTimeout(() => {
    if (!socket.destroyed && bytesWritten(socket) === written && !isHeard(socket)) {
      refuseUpgrade(socket, 404, "Not found");
    }
  }, lookAgainMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

/** Who serves an upgrade writes to it, or listens to it while it takes its time. One listener is ours. */
function isHeard(socket: Duplex): boolean {
  return socket.listenerCount("data") + socket.listenerCount("readable") > 0 || socket.listenerCount("error") > 1;
}

function bytesWritten(socket: Duplex): unknown {
  return "bytesWritten" in socket ? socket.bytesWritten : 0;
}

/** Whether an upgrade is to WebSocket. RFC 6455 section 4.1. */
export function isWebSocket({ method, headers }: IncomingMessage): boolean {
  const offered = headers.upgrade?.split(",") ?? [];
  return method === "GET" && offered.some((protocol) => protocol.trim().toLowerCase() === "websocket");
}

/**
 * Serves a request as if it had not offered an upgrade, which a server may ignore; Node takes each for
 * granted once anybody listens for upgrades. RFC 9110 section 7.8.
 */
export function ignoreOffer(
  http: HttpServer | HttpsServer,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    const rest = name.toLowerCase() === "connection" ? withoutOffer(value) : value;
    if (name.toLowerCase() !== "upgrade" && rest !== "") lines.push(`${name}: ${rest}`);
  }
  // Node reads header values as Latin-1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  http.emit("encrypted" in socket ? "secureConnection" : "connection", socket);
}

function withoutOffer(connection: string): string {
  const options = connection.split(",").map((option) => option.trim());
  return options.filter((option) => !/^(upgrade|http2-settings)$/i.test(option)).join(", ");
}
