import type { SchedulerAction, Subscription } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { isInstance } from "../errors.ts";

/** Thrown by RxJS 7.8. */
const lost = "Expected a due immediate or interval";

/**
 * Virtual time in which timers that are due together do not trip. RxJS runs the elder of two in the turn of the
 * younger; when the elder then stops the younger, nothing is left for its own turn, and RxJS takes that for a
 * failure.
 */
export class Clock extends TestScheduler {
  override schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
    return super.schedule<T>(
      function (current) {
        try {
          work.call(this, current);
        } catch (error) {
          if (!isInstance(error, Error) || error.message !== lost) throw error;
        }
      },
      delay,
      state,
    );
  }
}
