import { type MonoTypeOperatorFunction, Observable } from "rxjs";

/**
 * Delivers in emission order, also when a subscriber causes another emission while it is being notified:
 * that one waits its turn instead of overtaking.
 */
export function inOrder<T>(): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) => {
      const queue: T[] = [];
      let delivering = false;
      let completed = false;
      const deliver = (value: T): void => {
        if (delivering) {
          queue.push(value);
          return;
        }
        delivering = true;
        subscriber.next(value);
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) subscriber.next(next);
        delivering = false;
        if (completed) subscriber.complete();
      };
      return source.subscribe({
        next: deliver,
        error: (error) => subscriber.error(error),
        complete: () => {
          completed = true;
          if (!delivering) subscriber.complete();
        },
      });
    });
}
