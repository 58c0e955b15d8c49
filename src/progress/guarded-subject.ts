import { Subject } from "rxjs";
import { guardIncrease, type RangeGuard } from "./guard.ts";
import { createUpdate, type ProgressUpdate } from "./update.ts";

/**
 * The Subject behind an emitter. Its guard runs before anything is published and throws to the caller;
 * a throw leaves the last value as it was. Publishing keeps the order of `publish` calls also when a
 * subscriber publishes while it is being notified, which a plain Subject reverses.
 */
export class GuardedSubject extends Subject<ProgressUpdate> {
  readonly #inRange: RangeGuard;
  readonly #queue: ProgressUpdate[] = [];
  #last: number | undefined;
  #publishing = false;

  constructor(inRange: RangeGuard) {
    super();
    this.#inRange = inRange;
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** Throws when `value` may not follow the last one; otherwise it becomes the last one. */
  admit(value: number): void {
    this.#inRange(value);
    guardIncrease(this.#last, value);
    this.#last = value;
  }

  /** Hands an admitted value to the subscribers, if there are any. */
  publish(progress: number, total: number | undefined, message: string | undefined): void {
    if (!this.observed) return;
    this.#queue.push(createUpdate(progress, total, message));
    if (this.#publishing) return;
    this.#publishing = true;
    for (let update = this.#queue.shift(); update !== undefined; update = this.#queue.shift()) super.next(update);
    this.#publishing = false;
  }
}
