import type { Peer } from "./peer.ts";

export interface LivenessOptions {
  /** How often the peer is asked, in milliseconds. */
  readonly pingMs: number;
  /** Whether a write is waiting for the peer, which then has a deadline of its own. */
  readonly behind: () => boolean;
}

/** Pings a peer and terminates it when it has missed two in a row. Never holds the process. */
export function watchLiveness(peer: Peer, { pingMs, behind }: LivenessOptions): void {
  let missed = 0;
  const alive = (): void => {
    missed = 0;
  };
  const timer = setInterval(() => {
    // A ping waits behind what the peer has not read yet, and so does its answer.
    if (behind() || peer.readyState !== peer.OPEN) return;
    if (missed === 2) return peer.terminate();
    missed += 1;
    peer.ping();
  }, pingMs);
  timer.unref();
  for (const event of ["pong", "ping", "message"]) peer.on(event, alive);
  peer.once("close", () => clearInterval(timer));
}
