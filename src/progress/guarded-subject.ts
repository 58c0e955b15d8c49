import { type Observable, Subject } from "rxjs";
import { guardIncrease, type RangeGuard } from "./guard.ts";
import { createUpdate, type ProgressUpdate } from "./update.ts";

/**
 * The Subject behind an emitter, made when somebody looks. Its guard runs before anything is published and
 * throws to the caller; a throw leaves the last value as it was. Publishing keeps the order of admission also
 * when a subscriber emits while it is being notified, which a plain Subject reverses.
 */
export class GuardedSubject {
  readonly #inRange: RangeGuard;
  #subject: Subject<ProgressUpdate> | undefined;
  #admitted: ProgressUpdate[] | undefined;
  #last: number | undefined;
  #publishing = false;

  constructor(inRange: RangeGuard) {
    this.#inRange = inRange;
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** What is admitted from now on. */
  get updates(): Observable<ProgressUpdate> {
    this.#subject ??= new Subject();
    return this.#subject;
  }

  /** Throws when `progress` may not follow the last one; otherwise it becomes the last one and takes its place in order. */
  admit(progress: number, total: number | undefined, message: string | undefined): void {
    this.#inRange(progress);
    guardIncrease(this.#last, progress);
    this.#last = progress;
    if (this.#subject?.observed !== true) return;
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
      for (const update of batch) this.#subject?.next(update);
    }
    this.#publishing = false;
  }
}
