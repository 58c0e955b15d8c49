import {
  asyncScheduler,
  type MonoTypeOperatorFunction,
  Observable,
  type Observer,
  type SchedulerLike,
  type Subscription,
  type Unsubscribable,
} from "rxjs";
import { describeGiven } from "../errors.ts";
import { Bucket } from "./bucket.ts";
import type { ProgressEvent, RequestEvent } from "./event.ts";
import { Queue } from "./order.ts";
import { checkDelay, unheld } from "./timer.ts";

/**
 * How often a request's updates go out. `burst` updates pass at once, then one per `intervalMs`; in
 * between the latest replaces the one that waits. `"every"` lets all pass.
 * @default { burst: 20, intervalMs: 100 }
 */
export type Cadence = "every" | { readonly burst: number; readonly intervalMs: number };

export const defaultCadence: Cadence = { burst: 20, intervalMs: 100 };

/** Checks a cadence where it is configured. */
export function checkCadence(cadence: Cadence): Cadence {
  if (cadence === "every") return cadence;
  if (typeof cadence !== "object" || cadence === null) {
    throw new TypeError(`Expected \`cadence\` to be "every" or { burst, intervalMs }, got ${describeGiven(cadence)}`);
  }
  const { burst, intervalMs } = cadence;
  if (!Number.isSafeInteger(burst) || burst < 1) {
    throw new RangeError(`Expected \`cadence.burst\` to be an integer of at least 1, got ${burst}`);
  }
  checkDelay("cadence.intervalMs", intervalMs);
  return cadence;
}

/** The longest that an update waits for its turn, in milliseconds. */
export function restMs(cadence: Cadence): number {
  return cadence === "every" ? 0 : cadence.intervalMs;
}

/**
 * A token bucket over the progress of one request. Everything else passes at once, after the update that
 * waits. Time is read at every update, so that a handler which never lets timers run is still heard.
 * A timer exists only while an update waits, and never holds the process.
 */
export function cadence(policy: Cadence, scheduler?: SchedulerLike): MonoTypeOperatorFunction<RequestEvent> {
  if (policy === "every") return (source) => source;
  return (source) =>
    new Observable((subscriber) => {
      const meter = new Meter(subscriber, policy, scheduler);
      subscriber.add(meter);
      return source.subscribe(meter.entry);
    });
}

/** The same for one subscriber. What waits is dropped when it is unsubscribed from. */
export class Meter implements Observer<RequestEvent>, Unsubscribable {
  /** A question and the update flushed before it are one step: what a subscriber emits meanwhile follows both. */
  readonly entry: Observer<RequestEvent> = new Queue(this);
  readonly #subscriber: Observer<RequestEvent>;
  readonly #bucket: Bucket;
  readonly #scheduler: SchedulerLike;
  #waiting: ProgressEvent | undefined;
  #timer: Subscription | undefined;

  constructor(
    subscriber: Observer<RequestEvent>,
    policy: Exclude<Cadence, "every">,
    scheduler: SchedulerLike = asyncScheduler,
  ) {
    this.#subscriber = subscriber;
    this.#bucket = new Bucket(policy, scheduler.now());
    this.#scheduler = scheduler;
  }

  next(event: RequestEvent): void {
    if (event.type === "progress") return this.#pass(event);
    this.#flush();
    this.#subscriber.next(event);
  }

  error(error: unknown): void {
    this.#subscriber.error(error);
  }

  complete(): void {
    this.#flush();
    this.#subscriber.complete();
  }

  unsubscribe(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    this.#waiting = undefined;
  }

  #pass(event: ProgressEvent): void {
    if (this.#bucket.take(this.#scheduler.now())) {
      this.unsubscribe();
      return this.#subscriber.next(event);
    }
    this.#waiting = event;
    this.#timer ??= unheld(this.#scheduler.schedule(due, this.#bucket.nextAt - this.#scheduler.now(), this));
  }

  /** The update that waits may go. */
  due(): void {
    this.#bucket.takeDue(this.#scheduler.now());
    this.#flush();
  }

  #flush(): void {
    const event = this.#waiting;
    this.unsubscribe();
    if (event !== undefined) this.#subscriber.next(event);
  }
}

function due(meter?: Meter): void {
  meter?.due();
}
