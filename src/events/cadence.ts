import { asyncScheduler, type MonoTypeOperatorFunction, Observable, type SchedulerLike, type Subscription } from "rxjs";
import { Bucket } from "./bucket.ts";
import type { ProgressEvent, RequestEvent } from "./event.ts";
import { inOrder } from "./order.ts";
import { maxTimerMs, unheld } from "./timer.ts";

/**
 * How often a request's updates go out. `burst` updates pass at once, then one per `intervalMs`; in
 * between the latest replaces the one that waits. `"every"` lets all pass.
 * @default { burst: 20, intervalMs: 100 }
 */
export type Cadence = "every" | { readonly burst: number; readonly intervalMs: number };

export const defaultCadence: Cadence = { burst: 20, intervalMs: 100 };

/** Checks a cadence where it is configured. */
export function checkCadence(cadence: Cadence): Cadence {
  if (cadence === "every") return cadence;
  const { burst, intervalMs } = cadence;
  if (!Number.isSafeInteger(burst) || burst < 1) {
    throw new RangeError(`Expected cadence.burst to be an integer of at least 1, got ${burst}`);
  }
  if (!(intervalMs > 0 && intervalMs <= maxTimerMs)) {
    throw new RangeError(
      `Expected cadence.intervalMs to be greater than 0 and at most ${maxTimerMs}, got ${intervalMs}`,
    );
  }
  return cadence;
}

/** The longest that an update waits for its turn, in milliseconds. */
export function restMs(cadence: Cadence): number {
  return cadence === "every" ? 0 : cadence.intervalMs;
}

/**
 * A token bucket over the progress of one request. Everything else passes at once, after the update that
 * waits. Time is read at every update, so that a handler which never lets timers run is still heard.
 * A timer exists only while an update waits, and never holds the process.
 */
export function cadence(
  policy: Cadence,
  scheduler: SchedulerLike = asyncScheduler,
): MonoTypeOperatorFunction<RequestEvent> {
  if (policy === "every") return (source) => source;
  return (source) =>
    new Observable((subscriber) => {
      const bucket = new Bucket(policy, scheduler.now());
      let waiting: ProgressEvent | undefined;
      let timer: Subscription | undefined;

      const stopTimer = (): void => {
        timer?.unsubscribe();
        timer = undefined;
      };
      const flush = (): void => {
        stopTimer();
        if (waiting === undefined) return;
        const event = waiting;
        waiting = undefined;
        subscriber.next(event);
      };
      const onTime = (): void => {
        bucket.takeDue(scheduler.now());
        flush();
      };
      const pass = (event: ProgressEvent): void => {
        if (bucket.take(scheduler.now())) {
          stopTimer();
          waiting = undefined;
          subscriber.next(event);
          return;
        }
        waiting = event;
        timer ??= unheld(scheduler.schedule(onTime, bucket.nextAt - scheduler.now()));
      };
      // A question and the update flushed before it are one step: what a subscriber emits meanwhile follows both.
      const subscription = source.pipe(inOrder()).subscribe({
        next: (event) => {
          if (event.type === "progress") return pass(event);
          flush();
          subscriber.next(event);
        },
        error: (error) => subscriber.error(error),
        complete: () => {
          flush();
          subscriber.complete();
        },
      });
      return () => {
        stopTimer();
        waiting = undefined;
        subscription.unsubscribe();
      };
    });
}
