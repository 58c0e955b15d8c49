import type { Observable } from "rxjs";
import type { TerminalEvent } from "../events/index.ts";
import type { McpElicitor } from "../mrtr/index.ts";
import { Pushed } from "./pushed.ts";
import { type Asker, Rounds } from "./rounds.ts";

/** Told that a call will not end as its handler does: the handler should unwind. */
export interface Unwinder {
  unwind(): void;
}

/** How a handler's questions reach the client, and what they make of the end of its call. */
export interface Asking {
  /** The same in every round of a logical call. */
  readonly callId: string;
  /** What the handler asks through. */
  readonly elicitor: McpElicitor;
  /** Whether the handler asked or ran anything once; without it, its outcome is the call's. */
  readonly touched: boolean;
  /** Whether the call waits for its client: that time is not the handler's. */
  readonly waiting?: Observable<boolean>;
  /**
   * Checks what the client can do, and what it brought.
   * @throws MissingCapabilityError
   */
  open(): void | Promise<void>;
  whenUnwinding(unwinder: Unwinder): void;
  /** Fires when a handler that has to unwind has had its time. */
  grace(): Observable<void>;
  /** How the call ends when it does not end as its handler did. */
  end(): Promise<TerminalEvent | undefined>;
  /** The handler returned something, and it does not count. */
  overruled(): void;
}

/** In the legacy era a question is pushed; in the modern one it ends a round. */
export function createAsking(asker: Asker): Asking {
  return asker.call.exchange.era === "legacy" ? new Pushed(asker) : new Rounds(asker);
}
