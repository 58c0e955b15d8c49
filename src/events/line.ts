import { type NextObserver, type Observable, type SchedulerLike, Subscription, type Unsubscribable } from "rxjs";
import type { ProgressChannel } from "../progress/index.ts";
import { type Cadence, restMs } from "./cadence.ts";
import type { Diagnostic } from "./diagnostics.ts";
import {
  type ElicitationEvent,
  type NotificationEvent,
  type ProgressEvent,
  progressEvent,
  type RequestEvent,
  type TerminalEvent,
} from "./event.ts";
import { checkPulse, Pulse, type PulseOptions } from "./pulse.ts";
import { beforeZero, nextUp } from "./step.ts";

/** What a line is told of its request. */
export interface LineOptions {
  /** Whether the client asked for progress and the carrier can deliver it. */
  readonly listening: boolean;
  /** Told of what a developer should know. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** How often its updates go out. @default "every" */
  readonly cadence?: Cadence | undefined;
  /** Where a pulse takes its time from. @default RxJS's asyncScheduler */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Told that the subscriber of a request has left before its end. */
interface Leaver {
  leave(): void;
}

/**
 * The one increasing series of values of a request, over all its emitters, and the one way into its
 * observable. One request has one token, hence one line.
 */
export class Line implements ProgressChannel, Unsubscribable {
  readonly #events: NextObserver<RequestEvent>;
  readonly #options: LineOptions;
  readonly #meter: Unsubscribable | undefined;
  #told: Set<Diagnostic["type"]> | undefined;
  #leaver: Leaver | undefined;
  #mark: number | undefined;
  /** What the handler itself last reported, apart from what was in conflict: a pulse says it again. */
  #last: ProgressEvent | undefined;
  #pulse: Pulse | undefined;
  #replayed: { readonly mark: number; isPast: boolean; silenced: boolean } | undefined;
  #sealed = false;
  #ended = false;
  #left = false;

  /** `meter` is what may hold `events` back. */
  constructor(events: NextObserver<RequestEvent>, options: LineOptions, meter?: Unsubscribable) {
    this.#events = events;
    this.#options = options;
    this.#meter = meter;
  }

  /** Whether the client asked for progress and the carrier can deliver it. */
  get listening(): boolean {
    return this.#options.listening;
  }

  /** True once nothing can be reported any more, though the end itself may still be on its way. */
  get ended(): boolean {
    return this.#sealed || this.#ended;
  }

  /** The last value let through, in this round or before; `undefined` before the first. */
  get mark(): number | undefined {
    return this.#mark;
  }

  /** Goes on where an earlier round of the same call stopped: the client has been told values up to `mark`. */
  resume(mark: number | undefined): void {
    this.#mark = mark;
    if (mark !== undefined) this.#replayed = { mark, isPast: false, silenced: false };
  }

  /** The handler has come to where the earlier round stopped: what it reports now is news. */
  pastReplay(): void {
    if (this.#replayed !== undefined) this.#replayed.isPast = true;
  }

  /** Lets nothing more through but the end, so that the mark is final. */
  seal(): void {
    this.#sealed = true;
    this.#pulse?.unsubscribe();
  }

  report(progress: number, total: number | undefined, message: string | undefined): boolean {
    if (!this.#options.listening) return false;
    const event = progressEvent(progress, total, message);
    if (this.#mark !== undefined && progress <= this.#mark) {
      this.alive();
      this.#merged(event, this.#mark);
      return false;
    }
    this.#mark = progress;
    this.#last = event;
    this.#replayed = undefined;
    this.#pulse?.reported(true);
    this.#events.next(event);
    return true;
  }

  /**
   * Lets the smallest step that there is go out whenever nothing else does, until it is unsubscribed from or
   * the line ends. A second pulse replaces the first.
   */
  pulse(options: PulseOptions, waiting?: Observable<boolean>): Subscription {
    checkPulse(options);
    if (!this.#options.listening || this.ended) return Subscription.EMPTY;
    this.#pulse?.unsubscribe();
    const { cadence = "every", scheduler } = this.#options;
    // An update that waits for its turn is no silence: it has gone out when a pulse has looked twice.
    const everyMs = Math.max(options.everyMs, restMs(cadence));
    const beat = () => this.#step(options.message);
    this.#pulse = new Pulse({ everyMs, forMs: options.forMs, beat, waiting, scheduler });
    return this.#pulse;
  }

  #step(message = this.#last?.message): void {
    const next = this.#mark === undefined ? beforeZero : nextUp(this.#mark);
    const total = this.#last?.total;
    const isRoom = Number.isFinite(next) && (total === undefined || next < total);
    if (this.ended || !isRoom) return;
    this.#mark = next;
    this.#events.next(progressEvent(next, total, message));
  }

  /** Publishes a question or a subscription's message, in its place among the progress. */
  publish(event: ElicitationEvent | NotificationEvent): void {
    if (!this.ended) this.#events.next(event);
  }

  /** Ends the request; only the first end counts. Returns whether it was this one. */
  end(event: TerminalEvent): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    if (this.#replayed?.silenced) this.#silent(this.#replayed.mark);
    this.#events.next(event);
    return true;
  }

  /** Whoever is told when the subscriber leaves before the end. */
  whenLeft(leaver: Leaver): void {
    this.#leaver = leaver;
  }

  /** The subscriber is gone: closes the line without an event. */
  unsubscribe(): void {
    this.#meter?.unsubscribe();
    this.#pulse?.unsubscribe();
    if (this.#ended) return;
    this.#ended = true;
    this.#left = true;
    this.#leaver?.leave();
  }

  alive(): void {
    this.#pulse?.reported(false);
  }

  late(): void {
    // Between a cancellation and the moment a handler notices it, reports are to be expected.
    if (this.#left) return;
    this.#tell("late-progress", "Progress was reported after the request had ended; it was dropped");
  }

  subscriberFailed(error: unknown): void {
    this.#tell("subscriber-failed", "A subscriber of an emitter's updates threw; the request goes on", error);
  }

  #silent(mark: number): void {
    this.#tell(
      "silent-round",
      `Nothing that was reported after the answer exceeds ${mark}, which an earlier round reported; use one scale for all rounds`,
    );
  }

  #merged(event: ProgressEvent, mark: number): void {
    // A replay repeats what an earlier round said; and what exceeds all reports has only a pulse in its way.
    if (this.#replayed !== undefined) this.#replayed.silenced ||= this.#replayed.isPast;
    else if (this.#last !== undefined && event.progress <= this.#last.progress) return this.#conflicting(event, mark);
    this.#last = event;
  }

  #conflicting({ progress }: ProgressEvent, mark: number): void {
    this.#tell(
      "merged-progress",
      `Progress ${progress} was not sent: the request has already reported ${mark}, and one request has one line of values`,
    );
  }

  /** Each kind once per request: a tight loop must not become a loop of diagnostics. */
  #tell(type: Diagnostic["type"], message: string, cause?: unknown): void {
    this.#told ??= new Set();
    if (this.#told.has(type)) return;
    this.#told.add(type);
    this.#options.report(cause === undefined ? { type, message } : { type, message, cause });
  }
}
