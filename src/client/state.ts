import { asyncScheduler, Observable, type OperatorFunction, type TimestampProvider } from "rxjs";
import type { RequestEvent } from "../events/index.ts";
import { createUpdate, type ProgressUpdate } from "../progress/index.ts";
import type { CallEvent } from "./event.ts";
import { Rate } from "./rate.ts";

/** What a display shows of one call. What is not known is absent. */
export interface ProgressState {
  /** `asking` while a question is open; `ended` once there is a result, an error, or no more to come. */
  readonly state: "waiting" | "running" | "asking" | "ended";
  readonly progress?: number;
  readonly total?: number;
  /** From 0 to 1; only with a total above 0. */
  readonly fraction?: number;
  /** The last one that was given. */
  readonly message?: string;
  /**
   * Units of `progress` per second. Recent time weighs more; the time around a question does not count, from the
   * update before it to the one after.
   */
  readonly ratePerSecond?: number;
  /** The time to the total at this rate, in milliseconds, as of this update. */
  readonly etaMs?: number;
}

/** What `progressState` reads: the events of a call, or bare updates. */
export type ProgressInput =
  | ProgressUpdate
  | CallEvent
  | RequestEvent
  | { readonly type: "result"; readonly result: unknown };

export interface ProgressStateOptions {
  /** The clock: a `TestScheduler` in tests. @default RxJS's asyncScheduler */
  readonly clock?: TimestampProvider | undefined;
}

/**
 * From what one call says to what a display shows: `waiting` upon subscription, a state for each update,
 * `asking` while a question is open, and `{ state: "ended" }` with nothing else once the call is over,
 * however it ended. Values that are not finite or do not increase are left out.
 * MCP 2026-07-28, basic/patterns/progress.
 *
 * ```ts
 * client.streamTool("import").pipe(progressState()).subscribe(({ fraction, etaMs }) => draw(fraction, etaMs));
 * ```
 */
export function progressState(options: ProgressStateOptions = {}): OperatorFunction<ProgressInput, ProgressState> {
  const { clock = asyncScheduler } = options;
  return (source) =>
    new Observable((subscriber) => {
      const display = new Display(clock);
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        subscriber.next({ state: "ended" });
      };
      subscriber.next({ state: "waiting" });
      return source.subscribe({
        next: (item) => {
          if (isOver) return;
          const state = display.take(item);
          if (state === "ended") return end();
          if (state !== undefined) subscriber.next(state);
        },
        error: (error) => {
          end();
          subscriber.error(error);
        },
        complete: () => {
          end();
          subscriber.complete();
        },
      });
    });
}

/** What a display has been told of one call. */
class Display {
  readonly #clock: TimestampProvider;
  readonly #rate = new Rate();
  #last = Number.NEGATIVE_INFINITY;
  #shown: Omit<ProgressState, "state"> = {};
  #isAsking = false;

  constructor(clock: TimestampProvider) {
    this.#clock = clock;
  }

  /** The state after an item; `undefined` when it changes nothing. */
  take(item: ProgressInput): ProgressState | "ended" | undefined {
    if (!("type" in item)) return this.#update(item);
    switch (item.type) {
      case "progress":
        return this.#update(item);
      case "elicitation":
        this.#isAsking = true;
        return { state: "asking", ...this.#shown };
      case "notification":
        return undefined;
      case "input-required":
      case "result":
      case "error":
        return "ended";
    }
  }

  #update({ progress, total, message = this.#shown.message }: ProgressUpdate): ProgressState | undefined {
    if (!Number.isFinite(progress) || progress <= this.#last) return undefined;
    this.#last = progress;
    // Nobody says when the answer was given, so how long the work after it took is not known.
    if (this.#isAsking) this.#rate.begin(progress, this.#clock.now());
    else this.#rate.add(progress, this.#clock.now());
    this.#isAsking = false;
    const ratePerSecond = this.#rate.perSecond;
    this.#shown = {
      ...createUpdate(progress, Number.isFinite(total) ? total : undefined, message),
      ...(ratePerSecond === undefined ? undefined : { ratePerSecond }),
      ...(isTotal(total) ? towards(total, progress, ratePerSecond) : undefined),
    };
    return { state: "running", ...this.#shown };
  }
}

function isTotal(total: number | undefined): total is number {
  return total !== undefined && total > 0 && Number.isFinite(total);
}

function towards(total: number, progress: number, ratePerSecond: number | undefined) {
  const fraction = Math.min(1, Math.max(0, progress / total));
  const etaMs = ratePerSecond === undefined ? undefined : (1_000 * Math.max(0, total - progress)) / ratePerSecond;
  return etaMs !== undefined && Number.isFinite(etaMs) ? { fraction, etaMs } : { fraction };
}
