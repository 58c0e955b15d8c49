import type { Peer } from "./peer.ts";
import { after } from "./timer.ts";

/** What a close frame says. RFC 6455, section 7.4. */
export interface Farewell {
  readonly code: number;
  readonly reason: string;
}

/** Closes a connection and resolves when it is closed. A peer that does not answer the close in time is cut. */
export async function leave(peer: Peer, { code, reason }: Farewell, timeoutMs = 1_000): Promise<void> {
  if (peer.readyState === peer.CLOSED) return;
  const closed = new Promise<void>((resolve) => peer.once("close", () => resolve()));
  peer.close(code, reason);
  const stop = after(timeoutMs, () => peer.terminate());
  await closed;
  stop();
}
