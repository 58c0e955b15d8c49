import type { Observable } from "rxjs";
import type { ProgressChannel } from "./channel.ts";
import { ContainedObservable } from "./contained.ts";
import { guardMessage, type RangeGuard } from "./guard.ts";
import { GuardedSubject } from "./guarded-subject.ts";
import type { ProgressUpdate } from "./update.ts";

/**
 * What all emitters share: a facade over a guarded Subject.
 * The guard runs first, whether or not a client listens, and throws before anything is published.
 */
export abstract class ProgressEmitter {
  /** How much there is in all; `undefined` when unknown. */
  readonly total: number | undefined;
  readonly #channel: ProgressChannel;
  readonly #subject: GuardedSubject;

  protected constructor(channel: ProgressChannel, inRange: RangeGuard, total: number | undefined) {
    this.#channel = channel;
    this.#subject = new GuardedSubject(inRange);
    this.total = total;
  }

  /** The last accepted value; `undefined` before the first. */
  get last(): number | undefined {
    return this.#subject.last;
  }

  /** Every value this emitter accepts from now on, in order, whether or not the client is told of it. */
  get updates(): Observable<ProgressUpdate> {
    return new ContainedObservable(this.#subject.updates, this.#channel);
  }

  protected push(progress: number, message: string | null | undefined): boolean {
    const channel = this.#channel;
    if (channel.ended) {
      channel.late();
      return false;
    }
    const text = message === undefined ? undefined : guardMessage(message);
    // Admitted before the line is told: a subscriber of the line may emit, and that comes after this one.
    this.#subject.admit(progress, this.total, text);
    const accepted = channel.report(progress, this.total, text);
    this.#subject.publish();
    return accepted;
  }
}
