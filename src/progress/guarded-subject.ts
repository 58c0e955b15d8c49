import { Subject } from "rxjs";
import { guardIncrease, type RangeGuard } from "./guard.ts";
import { createUpdate, type ProgressUpdate } from "./update.ts";

/**
 * The Subject behind an emitter. Its guard runs before anything is published and throws to the caller;
 * a throw leaves the last value as it was. Publishing keeps the order of admission also when a
 * subscriber emits while it is being notified, which a plain Subject reverses.
 */
export class GuardedSubject extends Subject<ProgressUpdate> {
  readonly #inRange: RangeGuard;
  #admitted: ProgressUpdate[] | undefined;
  #last: number | undefined;
  #publishing = false;

  constructor(inRange: RangeGuard) {
    super();
    this.#inRange = inRange;
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** Throws when `progress` may not follow the last one; otherwise it becomes the last one and takes its place in order. */
  admit(progress: number, total: number | undefined, message: string | undefined): void {
    this.#inRange(progress);
    guardIncrease(this.#last, progress);
    this.#last = progress;
    if (!this.observed) return;
    this.#admitted ??= [];
    this.#admitted.push(createUpdate(progress, total, message));
  }

  /** Hands what was admitted to the subscribers. */
  publish(): void {
    if (this.#publishing || this.#admitted === undefined) return;
    this.#publishing = true;
    while (this.#admitted !== undefined) {
      const batch = this.#admitted;
      this.#admitted = undefined;
      for (const update of batch) super.next(update);
    }
    this.#publishing = false;
  }
}
