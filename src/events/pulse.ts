import { asyncScheduler, type Observable, type SchedulerLike, Subscription } from "rxjs";
import { describeGiven } from "../errors.ts";
import { checkDelay, maxTimerMs, unheld } from "./timer.ts";

/** How a request that says nothing is kept alive. */
export interface PulseOptions {
  /**
   * How often it looks, in milliseconds: a request that was silent since then reports, so it is never silent for
   * twice as long. At least the `intervalMs` of its cadence counts.
   */
  readonly everyMs: number;
  /**
   * How long the handler may report nothing by itself, in milliseconds, to within `everyMs`: after that it counts
   * as hung, and the pulse rests until it reports again.
   */
  readonly forMs: number;
  /** Shown with each pulse. @default what was last reported is said again */
  readonly message?: string | undefined;
}

/** Checks a pulse where it is asked for. */
export function checkPulse(options: PulseOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`Expected a pulse to be { everyMs, forMs }, got ${describeGiven(options)}`);
  }
  const { everyMs, forMs, message } = options;
  checkDelay("everyMs", everyMs);
  if (!(forMs >= everyMs && forMs <= maxTimerMs)) {
    throw new RangeError(`Expected \`forMs\` to be at least \`everyMs\` and at most ${maxTimerMs}, got ${forMs}`);
  }
  if (message !== undefined && typeof message !== "string") {
    throw new TypeError(`Expected \`message\` to be a string, got ${message === null ? null : typeof message}`);
  }
}

export interface PulseSettings {
  readonly everyMs: number;
  readonly forMs: number;
  /** Sends the next pulse, if there is room for one. */
  readonly beat: () => void;
  /** Whether the client is being asked: what it takes to answer is no silence of the handler. */
  readonly waiting?: Observable<boolean> | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Beats while a request is silent. It has one timer, and none while it rests. A report only leaves a mark that
 * the timer finds: it neither reads the clock nor touches the timer, unless it ends a rest.
 */
export class Pulse extends Subscription {
  readonly #settings: PulseSettings;
  #timer: Subscription | undefined;
  /** What happened since the timer was set. */
  #isAlive = false;
  #isSent = false;
  /** How many times in a row the timer has found no life. */
  #lifeless = 0;
  #isWaiting = false;

  constructor(settings: PulseSettings) {
    super(() => this.#timer?.unsubscribe());
    this.#settings = settings;
    this.#arm();
    this.add(
      settings.waiting?.subscribe((isWaiting) => {
        this.#isWaiting = isWaiting;
        this.reported(false);
      }),
    );
  }

  /** The handler reported something, which was sent or not. */
  reported(isSent: boolean): void {
    if (this.#timer === undefined) {
      this.#lifeless = 0;
      return this.#arm();
    }
    this.#isAlive = true;
    if (isSent) this.#isSent = true;
  }

  #arm(): void {
    if (this.closed) return;
    const { everyMs, scheduler = asyncScheduler } = this.#settings;
    this.#timer = unheld(scheduler.schedule(() => this.#onTime(), everyMs));
  }

  #onTime(): void {
    const { everyMs, forMs, beat } = this.#settings;
    const isSilent = !this.#isSent;
    this.#lifeless = this.#isAlive || this.#isWaiting ? 0 : this.#lifeless + 1;
    this.#isAlive = false;
    this.#isSent = false;
    this.#timer = undefined;
    if (this.#lifeless * everyMs > forMs) return;
    // Its subscriber may end the request, and with it this.
    this.#arm();
    if (isSilent) beat();
  }
}
