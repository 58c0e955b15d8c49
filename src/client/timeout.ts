import { asyncScheduler, Observable, type SchedulerLike, type Subscription, timer } from "rxjs";
import { Deadline } from "../errors.ts";
import { checkDelay, whenAborted } from "../events/index.ts";

/** How long a call may take. */
export interface Timeouts {
  /**
   * Cancels the call when a round of it takes longer, in milliseconds; it then fails with a `Deadline`. What
   * passes while a question is open, or in a pause, does not count. @default none
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Counts `timeoutMs` anew from each update, so that it bounds the silence and not the round. Only a value
   * that is finite and above all others of its round counts. Asks the server for progress, also without
   * `onProgress`.
   * @default false
   */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /**
   * Cancels the call when it takes longer in all, in milliseconds: every round, question and pause counts,
   * whatever progress comes. It then fails with a `Deadline`. @default none
   */
  readonly maxTotalTimeoutMs?: number | undefined;
}

/** Checks timeouts when a call begins. @throws RangeError */
export function checkTimeouts({ timeoutMs, maxTotalTimeoutMs }: Timeouts): void {
  if (timeoutMs !== undefined) checkDelay("timeoutMs", timeoutMs);
  if (maxTotalTimeoutMs !== undefined) checkDelay("maxTotalTimeoutMs", maxTotalTimeoutMs);
}

/** Whether a call has to ask for progress because a timeout depends on it. */
export function needsProgress({ timeoutMs, resetTimeoutOnProgress = false }: Timeouts): boolean {
  return timeoutMs !== undefined && resetTimeoutOnProgress;
}

/** The time that one round is given. A sign of life costs no timer. */
export class Patience {
  readonly #timeoutMs: number;
  readonly #scheduler: SchedulerLike;
  #timer: Subscription;
  #last = Number.NEGATIVE_INFINITY;
  /** The last sign of life since the timer was set. */
  #aliveAt: number | undefined;

  constructor(timeoutMs: number, expire: (reason: Deadline) => void, scheduler: SchedulerLike = asyncScheduler) {
    this.#timeoutMs = timeoutMs;
    this.#scheduler = scheduler;
    const onTime = (): void => {
      // However far the clock was set back, silence is over after the timeout.
      const leftMs = this.#aliveAt === undefined ? 0 : Math.min(this.#aliveAt + timeoutMs - scheduler.now(), timeoutMs);
      this.#aliveAt = undefined;
      if (leftMs > 0) this.#timer = scheduler.schedule(onTime, leftMs);
      else expire(this.#reason());
    };
    this.#timer = scheduler.schedule(onTime, timeoutMs);
  }

  /** Takes an update that counts as life. */
  renew(progress: number): void {
    if (!Number.isFinite(progress) || progress <= this.#last) return;
    this.#last = progress;
    this.#aliveAt = this.#scheduler.now();
  }

  unsubscribe(): void {
    this.#timer.unsubscribe();
  }

  #reason(): Deadline {
    if (this.#last === Number.NEGATIVE_INFINITY) return new Deadline(this.#timeoutMs);
    return new Deadline(this.#timeoutMs, `The request made no progress for ${this.#timeoutMs} ms`);
  }
}

/** Runs a call under a signal that aborts as the caller's does, and at the latest after `totalMs`. */
export function bounded<T>(
  run: (signal: AbortSignal | undefined) => Observable<T>,
  signal: AbortSignal | undefined,
  totalMs: number | undefined,
  scheduler?: SchedulerLike,
): Observable<T> {
  if (totalMs === undefined) return run(signal);
  return new Observable((subscriber) => {
    const controller = new AbortController();
    const reason = new Deadline(totalMs, `The call did not finish within ${totalMs} ms in all`);
    if (signal !== undefined) subscriber.add(whenAborted(signal).subscribe(() => controller.abort(signal.reason)));
    subscriber.add(timer(totalMs, scheduler).subscribe(() => controller.abort(reason)));
    subscriber.add(run(controller.signal).subscribe(subscriber));
  });
}
