import { asyncScheduler, type Observable, type SchedulerLike, Subscription } from "rxjs";
import { maxTimerMs, unheld } from "./timer.ts";

/** How a request that says nothing is kept alive. */
export interface PulseOptions {
  /** How long the request may be silent, in milliseconds; at least the `intervalMs` of its cadence counts. */
  readonly everyMs: number;
  /**
   * How long the handler may report nothing by itself, in milliseconds: after that it counts as hung, and the
   * pulse rests until it reports again.
   */
  readonly forMs: number;
  /** Shown with each pulse. @default what was last reported is said again */
  readonly message?: string | undefined;
}

/** Checks a pulse where it is asked for. */
export function checkPulse({ everyMs, forMs, message }: PulseOptions): void {
  if (!(everyMs > 0 && everyMs <= maxTimerMs)) {
    throw new RangeError(`Expected \`everyMs\` to be greater than 0 and at most ${maxTimerMs}, got ${everyMs}`);
  }
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

/** Beats while a request is silent. It has one timer, which a report does not touch, and none while it rests. */
export class Pulse extends Subscription {
  readonly #settings: PulseSettings;
  readonly #scheduler: SchedulerLike;
  #timer: Subscription | undefined;
  /** When something was last sent, and when the handler last did something. */
  #sentAt: number;
  #aliveAt: number;
  #isWaiting = false;

  constructor(settings: PulseSettings) {
    super(() => this.#timer?.unsubscribe());
    const { scheduler = asyncScheduler, waiting } = settings;
    this.#settings = settings;
    this.#scheduler = scheduler;
    this.#sentAt = scheduler.now();
    this.#aliveAt = this.#sentAt;
    this.#arm(settings.everyMs);
    this.add(
      waiting?.subscribe((isWaiting) => {
        this.#isWaiting = isWaiting;
        this.reported(false);
      }),
    );
  }

  /** The handler reported something, which was sent or not. */
  reported(isSent: boolean): void {
    if (this.closed) return;
    this.#aliveAt = this.#scheduler.now();
    if (isSent) this.#sentAt = this.#aliveAt;
    if (this.#timer === undefined) this.#arm(this.#settings.everyMs);
  }

  #arm(delayMs: number): void {
    this.#timer = unheld(this.#scheduler.schedule(() => this.#onTime(), delayMs));
  }

  #onTime(): void {
    this.#timer = undefined;
    const { everyMs, forMs, beat } = this.#settings;
    const nowMs = this.#scheduler.now();
    const leftMs = this.#sentAt + everyMs - nowMs;
    if (leftMs > 0) return this.#arm(leftMs);
    if (!this.#isWaiting && nowMs - this.#aliveAt > forMs) return;
    this.#sentAt = nowMs;
    // Its subscriber may end the request, and with it this.
    this.#arm(everyMs);
    beat();
  }
}
