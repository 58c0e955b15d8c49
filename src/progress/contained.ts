import { Observable, type Observer, Subscriber, Subscription, type TeardownLogic, type Unsubscribable } from "rxjs";
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
    return super.subscribe(new ContainedSubscription(consumer, this.#watch));
  }

  /** Part of RxJS's operator protocol: keeps what is piped contained. */
  override lift<R>(operator?: { call(subscriber: Subscriber<R>, source: unknown): unknown }): Observable<R> {
    const lifted = new Observable<R>((subscriber) => operator?.call(subscriber, this) as Subscription);
    return new ContainedObservable(lifted, this.#watch);
  }
}

/**
 * A consumer's subscription, with its functions caught. It is observer and subscription in one, which is what RxJS
 * takes for a subscriber: an open request would hold four objects more if RxJS made one of its own.
 */
class ContainedSubscription<T> extends Subscription implements Observer<T> {
  /** Gone once it was told of a failure. */
  #watch: SubscriberWatch | undefined;
  /** Gone once nothing more comes. */
  #consumer: Consumer<T> | undefined;
  #teardown: Unsubscribable | undefined;

  constructor(consumer: Consumer<T>, watch: SubscriberWatch) {
    super();
    this.#consumer = consumer;
    this.#watch = watch;
  }

  next(value: T): void {
    const consumer = this.#consumer;
    if (consumer === undefined) return;
    try {
      this.#await(consumer.next?.(value));
    } catch (error) {
      this.#fail(error);
    }
  }

  error(error: unknown): void {
    this.#end((consumer) => (consumer.error ? consumer.error(error) : this.#fail(error)));
  }

  complete(): void {
    this.#end((consumer) => consumer.complete?.());
  }

  /** The first is kept as it is; RxJS makes a list with places for seventeen. */
  override add(teardown: TeardownLogic): void {
    if (this.closed || this.#teardown !== undefined || !isPlainTeardown(teardown)) super.add(teardown);
    else this.#teardown = teardown;
  }

  override remove(teardown: Exclude<TeardownLogic, void>): void {
    if (this.#teardown === teardown) this.#teardown = undefined;
    else super.remove(teardown);
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.#consumer = undefined;
    const teardown = this.#teardown;
    this.#teardown = undefined;
    try {
      super.unsubscribe();
    } finally {
      teardown?.unsubscribe();
    }
  }

  #end(tell: (consumer: Consumer<T>) => unknown): void {
    const consumer = this.#consumer;
    if (consumer === undefined) return;
    this.#consumer = undefined;
    try {
      this.#await(tell(consumer));
    } catch (error) {
      this.#fail(error);
    } finally {
      this.unsubscribe();
    }
  }

  #await(returned: unknown): void {
    if (isThenable(returned)) Promise.resolve(returned).then(undefined, (error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    const watch = this.#watch;
    this.#watch = undefined;
    watch?.subscriberFailed(error);
  }
}

/** A subscription among them has to be told whose it is. */
function isPlainTeardown(teardown: TeardownLogic): teardown is Unsubscribable {
  return typeof teardown === "object" && teardown !== null && !(teardown instanceof Subscription);
}
