import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Calls back when a response closes, perhaps twice. Node tells a response that waits behind another one nothing
 * of their connection's end: then the socket is listened to as well, until what is returned is called.
 */
export function whenResponseCloses(
  { socket }: IncomingMessage,
  res: ServerResponse,
  callback: () => void,
): (() => void) | undefined {
  // `once` would be two functions more for as long as the response is open.
  res.on("close", callback);
  return res.socket === null ? whenSocketCloses(socket, callback) : undefined;
}

const waiting = new WeakMap<Socket, Set<() => void>>();

/** However many wait on one socket, it has one listener: a client that sends many requests at once must not look like a leak. */
function whenSocketCloses(socket: Socket, callback: () => void): () => void {
  const callbacks = waiting.get(socket) ?? listenTo(socket);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function listenTo(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(socket, callbacks);
  socket.once("close", () => {
    for (const callback of [...callbacks]) callback();
  });
  return callbacks;
}
