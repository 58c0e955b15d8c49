import { type MonoTypeOperatorFunction, Observable } from "rxjs";

/**
 * Delivers in emission order, also when a subscriber causes another emission while it is being notified:
 * that one waits its turn instead of overtaking, and so does the end.
 */
export function inOrder<T>(): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) => {
      let queue: T[] = [];
      let delivering = false;
      let end: (() => void) | undefined;
      const deliver = (value: T): void => {
        if (delivering) {
          queue.push(value);
          return;
        }
        delivering = true;
        subscriber.next(value);
        while (queue.length > 0) {
          const batch = queue;
          queue = [];
          for (const next of batch) subscriber.next(next);
        }
        delivering = false;
        end?.();
      };
      const finish = (how: () => void): void => {
        end = how;
        if (!delivering) how();
      };
      return source.subscribe({
        next: deliver,
        error: (error) => finish(() => subscriber.error(error)),
        complete: () => finish(() => subscriber.complete()),
      });
    });
}
