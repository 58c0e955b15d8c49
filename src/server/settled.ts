import { concatMap, defaultIfEmpty, from, isObservable, Observable, of, takeLast } from "rxjs";

/**
 * What a handler yields in the end, as a stream of one: the value itself at once, what a promise resolves
 * to, the last value of an Observable, `undefined` for an empty one. A promise cannot be taken back, so
 * `onLate` is told of one that settles after the stream was left.
 */
export function settled(yielded: unknown, onLate: (cause?: unknown) => void): Observable<unknown> {
  if (isObservable(yielded)) return from(yielded).pipe(takeLast(1), defaultIfEmpty(undefined));
  if (!isThenable(yielded)) return of(yielded);
  return new Observable<unknown>((subscriber) => {
    Promise.resolve(yielded).then(
      (value) => {
        if (subscriber.closed) return onLate();
        subscriber.next(value);
        subscriber.complete();
      },
      (error: unknown) => (subscriber.closed ? onLate(error) : subscriber.error(error)),
    );
  }).pipe(concatMap((value) => settled(value, onLate)));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return "then" in value && typeof value.then === "function";
}
