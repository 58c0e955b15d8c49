import { Observable, type Observer, Subscriber, type Subscription } from "rxjs";
import { isThenable } from "./thenable.ts";

type Next<T> = (value: T) => unknown;
type OnError = (error: unknown) => void;
type OnComplete = () => void;

interface Consumer<T> {
  next?: Next<T> | null | undefined;
  error?: OnError | null | undefined;
  complete?: OnComplete | null | undefined;
}

/** Told, once per subscriber, of what it threw or rejected with. */
export interface SubscriberWatch {
  subscriberFailed(error: unknown): void;
}

/**
 * An Observable whose subscribers cannot hurt anybody: what one throws, or rejects with when it is an
 * async function, is told to `watch`, and never becomes an uncaught exception. What is piped from it is
 * contained as well.
 */
export class ContainedObservable<T> extends Observable<T> {
  readonly #watch: SubscriberWatch;

  constructor(source: Observable<T>, watch: SubscriberWatch) {
    super((subscriber) => source.subscribe(subscriber));
    this.#watch = watch;
  }

  override subscribe(observer?: Partial<Observer<T>> | Next<T> | null): Subscription;
  override subscribe(next?: Next<T> | null, error?: OnError | null, complete?: OnComplete | null): Subscription;
  override subscribe(
    first?: Partial<Observer<T>> | Next<T> | null,
    error?: OnError | null,
    complete?: OnComplete | null,
  ): Subscription {
    // Operators subscribe with a Subscriber of their own; only a consumer's functions are contained.
    if (first instanceof Subscriber) return super.subscribe(first);
    const consumer: Consumer<T> =
      typeof first === "object" && first !== null ? first : { next: first, error, complete };
    return super.subscribe(new ContainedObserver(consumer, this.#watch));
  }

  /** Part of RxJS's operator protocol: keeps what is piped contained. */
  override lift<R>(operator?: { call(subscriber: Subscriber<R>, source: unknown): unknown }): Observable<R> {
    const lifted = new Observable<R>((subscriber) => operator?.call(subscriber, this) as Subscription);
    return new ContainedObservable(lifted, this.#watch);
  }
}

/** A consumer whose functions are caught. It has no function per event, for it sees every one. */
class ContainedObserver<T> implements Observer<T> {
  readonly #consumer: Consumer<T>;
  readonly #watch: SubscriberWatch;
  #failed = false;

  constructor(consumer: Consumer<T>, watch: SubscriberWatch) {
    this.#consumer = consumer;
    this.#watch = watch;
  }

  next(value: T): void {
    try {
      this.#await(this.#consumer.next?.(value));
    } catch (error) {
      this.#fail(error);
    }
  }

  error(error: unknown): void {
    try {
      this.#await(this.#consumer.error ? this.#consumer.error(error) : this.#fail(error));
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  complete(): void {
    try {
      this.#await(this.#consumer.complete?.());
    } catch (error) {
      this.#fail(error);
    }
  }

  #await(returned: unknown): void {
    if (isThenable(returned)) Promise.resolve(returned).then(undefined, (error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#watch.subscriberFailed(error);
  }
}
