import type { ProgressToken } from "../events/index.ts";
import { type Lane, Pump, type Sink } from "../transports/index.ts";
import { createPrinter, isObject, printJson } from "../wire/index.ts";

export interface OutboxOptions {
  readonly writeTimeoutMs?: number | undefined;
  /** Told once that the peer took nothing for `writeTimeoutMs`. */
  readonly onStalled: () => void;
  /** Told once that the socket threw. */
  readonly onFailed: (cause: unknown) => void;
}

/** An update that found no room. */
interface Held {
  readonly frame: string;
  readonly resolve: () => void;
}

/**
 * Messages on their way out, in order. While the peer is behind, the latest update of a token replaces the one
 * that waits; all else is kept, and nothing overtakes anything.
 */
export class Outbox {
  readonly #pump: Pump;
  readonly #lane: Lane;
  readonly #held = new Map<ProgressToken, Held>();
  #waiting = false;

  constructor(sink: Sink, { writeTimeoutMs, onStalled, onFailed }: OutboxOptions) {
    this.#pump = new Pump(sink, { writeTimeoutMs, owner: { stalled: onStalled, failed: onFailed } });
    this.#lane = this.#pump.lane(createPrinter({ id: 0, progressToken: undefined }));
  }

  /** How much waits, in characters. */
  get backlog(): number {
    return this.#pump.backlog;
  }

  /** Whether something waits, or was written less than `ms` ago. */
  wroteWithin(ms: number): boolean {
    return this.#pump.wroteWithin(ms);
  }

  /**
   * Resolves when there is room for more, or a later update has taken this one's place.
   * @throws TypeError for what has no JSON form.
   */
  send(message: unknown): Promise<void> {
    const frame = printJson(message);
    const token = updateTokenOf(message);
    return token !== undefined && this.#pump.full ? this.#hold(token, frame) : this.push(frame);
  }

  /** Takes a message that is text already. */
  push(frame: string): Promise<void> {
    this.#moveUp();
    this.#lane.push(frame);
    return this.drained();
  }

  drained(): Promise<void> {
    return this.#lane.drained();
  }

  /** Resolves when all has been taken, or the outbox was closed. */
  flushed(): Promise<void> {
    this.#moveUp();
    return this.#pump.flushed();
  }

  /** Lets go of everything: the peer is gone. */
  close(): void {
    this.#pump.close();
    this.#moveUp();
  }

  #hold(token: ProgressToken, frame: string): Promise<void> {
    this.#held.get(token)?.resolve();
    const taken = new Promise<void>((resolve) => this.#held.set(token, { frame, resolve }));
    if (!this.#waiting) {
      this.#waiting = true;
      void this.drained().then(() => {
        this.#waiting = false;
        this.#moveUp();
      });
    }
    return taken;
  }

  #moveUp(): void {
    for (const [token, { frame, resolve }] of this.#held) {
      this.#held.delete(token);
      this.#lane.push(frame);
      resolve();
    }
  }
}

/** The token of an update of progress, which a later one may replace. */
export function updateTokenOf(message: unknown): ProgressToken | undefined {
  if (!isObject(message) || message.method !== "notifications/progress" || !isObject(message.params)) return undefined;
  const { progressToken } = message.params;
  return typeof progressToken === "string" || typeof progressToken === "number" ? progressToken : undefined;
}
