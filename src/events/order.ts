import { type MonoTypeOperatorFunction, Observable, type Observer } from "rxjs";

/**
 * Delivers in emission order, also when a subscriber causes another emission while it is being notified:
 * that one waits its turn instead of overtaking, and so does the end. Completes right after the first value
 * that `isLast`, if there is one.
 */
export function inOrder<T>(isLast?: (value: T) => boolean): MonoTypeOperatorFunction<T> {
  return (source) => new Observable((subscriber) => source.subscribe(new Queue(subscriber, isLast)));
}

/** The same for one subscriber. Nothing is made for a value that does not wait, nor kept while none does. */
export class Queue<T> implements Observer<T> {
  readonly #subscriber: Observer<T>;
  readonly #isLast: ((value: T) => boolean) | undefined;
  #waiting: T[] | undefined;
  #delivering = false;
  #ended = false;
  #end: (() => void) | undefined;

  constructor(subscriber: Observer<T>, isLast?: (value: T) => boolean) {
    this.#subscriber = subscriber;
    this.#isLast = isLast;
  }

  next(value: T): void {
    if (this.#delivering) {
      this.#waiting ??= [];
      this.#waiting.push(value);
      return;
    }
    this.#delivering = true;
    this.#deliver(value);
    while (this.#waiting !== undefined) {
      const batch = this.#waiting;
      this.#waiting = undefined;
      for (const next of batch) this.#deliver(next);
    }
    this.#delivering = false;
    this.#end?.();
  }

  error(error: unknown): void {
    this.#finish(() => this.#subscriber.error(error));
  }

  complete(): void {
    this.#finish(() => this.#subscriber.complete());
  }

  #deliver(value: T): void {
    if (this.#ended) return;
    this.#ended = this.#isLast?.(value) === true;
    this.#subscriber.next(value);
    if (this.#ended) this.#subscriber.complete();
  }

  #finish(end: () => void): void {
    this.#end = end;
    if (!this.#delivering) end();
  }
}
