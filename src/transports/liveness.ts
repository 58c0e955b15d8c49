import type { WebSocket } from "ws";

export interface LivenessOptions {
  /** How often the peer is asked, in milliseconds. */
  readonly pingMs: number;
  /** Whether a write is waiting for the peer, which then has a deadline of its own. */
  readonly behind: () => boolean;
}

/** Pings a peer and terminates it when it has missed two in a row. Never holds the process. */
export function watchLiveness(socket: WebSocket, { pingMs, behind }: LivenessOptions): void {
  let missed = 0;
  const alive = (): void => {
    missed = 0;
  };
  const timer = setInterval(() => {
    // A ping waits behind what the peer has not read yet, and so does its answer.
    if (behind() || socket.readyState !== socket.OPEN) return;
    if (missed === 2) return socket.terminate();
    missed += 1;
    socket.ping();
  }, pingMs);
  timer.unref();
  for (const event of ["pong", "ping", "message"]) socket.on(event, alive);
  socket.once("close", () => clearInterval(timer));
}
