import type { EventEmitter } from "node:events";

/** What is used of a `ws` socket: its own types must not reach a declaration of this package. */
export interface Peer extends EventEmitter {
  readonly readyState: number;
  readonly OPEN: number;
  readonly CLOSED: number;
  pause(): void;
  resume(): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Cuts the connection without a close frame. */
  terminate(): void;
}
