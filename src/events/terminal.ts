import { type MonoTypeOperatorFunction, Observable } from "rxjs";
import { isTerminal, type RequestEvent } from "./event.ts";

/** Completes right after the first terminal event: nothing follows it. */
export function untilTerminal(): MonoTypeOperatorFunction<RequestEvent> {
  return (source) =>
    new Observable((subscriber) => {
      let ended = false;
      return source.subscribe({
        next: (event) => {
          if (ended) return;
          ended = isTerminal(event);
          subscriber.next(event);
          if (ended) subscriber.complete();
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
}
