import { defaultIfEmpty, isObservable, type Subscription, takeLast, takeUntil } from "rxjs";
import { isThenable } from "../progress/index.ts";
import type { Call } from "./call.ts";

/** Who waits for what was yielded. It is told one of these, once. */
export interface Waiter {
  next(value: unknown): void;
  error(error: unknown): void;
  /** A promise cannot be taken back: it settled after the call was over. */
  late(cause?: unknown): void;
}

/**
 * Tells what a handler yields in the end: the value itself at once, what a promise resolves to, the last value
 * of an Observable, `undefined` for an empty one. Without an Observable it costs none. Returns how to leave one.
 */
export function settle(yielded: unknown, call: Call, waiter: Waiter): Subscription | undefined {
  // What is looked at may be hostile.
  try {
    if (isObservable(yielded)) {
      return yielded.pipe(takeLast(1), defaultIfEmpty(undefined), takeUntil(call.over)).subscribe(waiter);
    }
    if (isThenable(yielded)) wait(yielded, call, waiter);
    else waiter.next(yielded);
  } catch (error) {
    waiter.error(error);
  }
  return undefined;
}

function wait(promise: PromiseLike<unknown>, call: Call, waiter: Waiter): void {
  Promise.resolve(promise).then(
    (value) => (call.isOver ? waiter.late() : settle(value, call, waiter)),
    (error: unknown) => (call.isOver ? waiter.late(error) : waiter.error(error)),
  );
}
