import { Observable, type Observer, Subscriber, type Subscription } from "rxjs";

type Next<T> = (value: T) => unknown;

/**
 * An Observable whose subscribers cannot hurt anybody: what one throws, or rejects with when it is an
 * async function, goes to `onFailure` once per subscriber, and never becomes an uncaught exception.
 * What is piped from it is contained as well.
 */
export class ContainedObservable<T> extends Observable<T> {
  readonly #onFailure: (error: unknown) => void;

  constructor(source: Observable<T>, onFailure: (error: unknown) => void) {
    super((subscriber) => source.subscribe(subscriber));
    this.#onFailure = onFailure;
  }

  override subscribe(observer?: Partial<Observer<T>> | Next<T> | null): Subscription;
  override subscribe(
    next?: Next<T> | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription;
  override subscribe(
    first?: Partial<Observer<T>> | Next<T> | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // Operators subscribe with a Subscriber of their own; only a consumer's functions are contained.
    if (first instanceof Subscriber) return super.subscribe(first);
    const observer = typeof first === "function" ? { next: first } : (first ?? {});
    return super.subscribe(contain({ ...bind(observer), ...given(error, complete) }, this.#onFailure));
  }

  /** Part of RxJS's operator protocol: keeps what is piped contained. */
  override lift<R>(operator?: { call(subscriber: Subscriber<R>, source: unknown): unknown }): Observable<R> {
    const lifted = new Observable<R>((subscriber) => {
      const torn = operator?.call(subscriber, this);
      return torn as Subscription;
    });
    return new ContainedObservable(lifted, this.#onFailure);
  }
}

function bind<T>(observer: Partial<Observer<T>>): Partial<Observer<T>> {
  return {
    ...(observer.next && { next: (value: T) => observer.next?.(value) }),
    ...(observer.error && { error: (error: unknown) => observer.error?.(error) }),
    ...(observer.complete && { complete: () => observer.complete?.() }),
  };
}

function given(error?: ((error: unknown) => void) | null, complete?: (() => void) | null) {
  return { ...(error && { error }), ...(complete && { complete }) };
}

function contain<T>(observer: Partial<Observer<T>>, onFailure: (error: unknown) => void): Partial<Observer<T>> {
  let reported = false;
  const report = (error: unknown) => {
    if (reported) return;
    reported = true;
    onFailure(error);
  };
  const guard =
    <A extends unknown[]>(run: (...args: A) => unknown) =>
    (...args: A): void => {
      try {
        const returned = run(...args);
        if (returned instanceof Promise) returned.catch(report);
      } catch (error) {
        report(error);
      }
    };
  return {
    next: guard((value: T) => observer.next?.(value)),
    error: guard((error: unknown) => (observer.error ? observer.error(error) : report(error))),
    complete: guard(() => observer.complete?.()),
  };
}
