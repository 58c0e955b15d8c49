import type { SchedulerLike } from "rxjs";
import type { ConnectOptions } from "../client/index.ts";
import { checkDelay } from "../events/index.ts";
import type { ProgressUpdate } from "../progress/index.ts";
import { checkNumbers } from "../transports/index.ts";
import type { ReceivedMessage } from "./notes.ts";
import { Reader } from "./reader.ts";
import type { TestRequest } from "./request.ts";
import type { Target } from "./target.ts";

/** Who a test client is, and whose time it keeps. */
export interface TestClientOptions extends Pick<ConnectOptions, "clientInfo" | "capabilities" | "principal"> {
  /** Where `everyMs` and `atMs` come from; `writeTimeoutMs` is real time. @default RxJS's asyncScheduler */
  readonly scheduler?: SchedulerLike | undefined;
  /** How long the server lets it take nothing before it drops it, in milliseconds. @default 30_000 */
  readonly writeTimeoutMs?: number | undefined;
}

export interface SlowClientOptions extends TestClientOptions {
  /** Reads one message per so many milliseconds. @default only what it is told to read */
  readonly everyMs?: number | undefined;
}

export interface LeavingClientOptions extends TestClientOptions {
  /** Leaves as soon as it has read so many messages. */
  readonly afterMessages?: number | undefined;
  /** Leaves so many milliseconds after it came. */
  readonly atMs?: number | undefined;
  /** Cancels its requests and stays connected, rather than to vanish. @default false */
  readonly cancels?: boolean | undefined;
}

/** A client in the same process, at the end of a connection with back-pressure like any other. */
export interface TestClient {
  /** Sends a request of revision 2026-07-28; nothing is read by that. */
  send(request: TestRequest): void;
  /** Reads so many messages, waiting for them; fewer when no more will come. */
  read(count?: number): Promise<readonly ReceivedMessage[]>;
  /** Reads without pause from here on; resolves when all that was sent has been answered. */
  readAll(): Promise<readonly ReceivedMessage[]>;
  /** Cancels what is open. */
  cancel(reason?: string): void;
  /** Vanishes, as a client does whose process dies. */
  leave(): void;
  /** Resolves when all that was sent has been answered and the answers were read, or the client has left. */
  done(): Promise<void>;
  /**
   * Resolves when `done()` has, and its handlers have settled. Of a server, rather than of a single tool, the
   * handlers are not waited for. Never resolves when a handler never stops.
   */
  stopped(): Promise<void>;
  /** All messages that it read, in order. */
  readonly received: readonly ReceivedMessage[];
  /** The updates among them. */
  readonly updates: readonly ProgressUpdate[];
  /**
   * Updates that were reported and never came, for later ones replaced them; until a call is over, those on
   * their way are counted as well. What the cadence merges is never on its way.
   */
  readonly merged: number;
  /** The most that was on its way to it at any moment, in characters. */
  readonly peak: number;
  /** Why signals of handlers aborted, in order. Of a server, rather than of a single tool, deadlines are missing. */
  readonly aborted: readonly Error[];
}

/**
 * A client that reads slowly: only when told, or one message per `everyMs`. What it does not read piles up as
 * with any carrier: one write and one batch, then updates are merged.
 *
 * ```ts
 * const client = slowClient(importRows);
 * client.send(toolCall("import", { rows: 100_000 }));
 * await client.readAll();
 * ```
 * @throws RangeError for an option that makes no sense.
 */
export function slowClient(target: Target, options: SlowClientOptions = {}): TestClient {
  checkOptions(options);
  return new Reader(target, options);
}

/**
 * A client that reads all that comes, and leaves: after some messages, or at a moment.
 *
 * ```ts
 * const client = leavingClient(importRows, { afterMessages: 3 });
 * client.send(toolCall("import", { rows: 100_000 }));
 * await client.stopped();
 * ```
 * @throws RangeError for an option that makes no sense.
 */
export function leavingClient(target: Target, options: LeavingClientOptions): TestClient {
  checkOptions(options);
  const client = new Reader(target, options);
  void client.readAll();
  return client;
}

function checkOptions({
  writeTimeoutMs,
  everyMs,
  atMs,
  afterMessages,
}: SlowClientOptions & LeavingClientOptions): void {
  checkNumbers({ writeTimeoutMs }, { writeTimeoutMs: 1 });
  if (everyMs !== undefined) checkDelay("everyMs", everyMs);
  if (atMs !== undefined) checkDelay("atMs", atMs);
  if (afterMessages === undefined || (Number.isSafeInteger(afterMessages) && afterMessages > 0)) return;
  throw new RangeError(`Expected \`afterMessages\` to be an integer of at least 1, got ${afterMessages}`);
}
