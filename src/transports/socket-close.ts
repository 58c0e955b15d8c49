import type { Socket } from "node:net";

const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once when a socket closes, until it is told to stop. However many wait on one socket, it has one
 * listener: a client that sends many requests at once must not look like a leak.
 */
export function whenSocketCloses(socket: Socket, callback: () => void): () => void {
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
