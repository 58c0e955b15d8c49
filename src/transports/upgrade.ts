import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** The path a request asks for, without its query; a proxy may ask by a whole URL. RFC 9112 section 3.2. */
export function pathOf({ url = "/" }: Pick<IncomingMessage, "url">): string {
  const [target = ""] = url.split("?", 1);
  return target.replace(/^https?:\/\/[^/]*/i, "") || "/";
}

/** Whether the client offers this WebSocket sub-protocol. RFC 6455 section 4.1. */
export function offers({ headers }: IncomingMessage, protocol: string): boolean {
  const offered = headers["sec-websocket-protocol"]?.split(",") ?? [];
  return offered.some((name) => name.trim() === protocol);
}

/** Answers an upgrade request in HTTP and ends it. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  // The peer may reset a connection that nobody else watches any more.
  socket.on("error", () => socket.destroy());
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(reason)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${reason}`, () => socket.destroy());
}

/** @throws TypeError */
export function checkPath(path: string): void {
  if (!/^\/[^?#\s]*$/.test(path))
    throw new TypeError(`Expected \`path\` to begin with "/", got ${JSON.stringify(path)}`);
}
