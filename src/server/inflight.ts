import { asyncScheduler, type SchedulerLike, Subject } from "rxjs";
import { Disconnected } from "../errors.ts";
import { type TerminalEvent, unheld } from "../events/index.ts";
import { INTERNAL_ERROR } from "../wire/index.ts";
import type { Call } from "./call.ts";
import type { Plan } from "./method.ts";

const closed = "The server is closing";
const refusal: TerminalEvent = { type: "error", error: { code: INTERNAL_ERROR, message: closed } };

/** The calls of a server that have not ended, and the end of them all. */
export class Inflight {
  readonly #calls = new Set<Call>();
  /** Fires when the server begins to close. */
  readonly closing = new Subject<void>();
  #isClosing = false;
  #closed: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  /** Holds the call until it is released; once the server closes it is refused. */
  start(call: Call, plan: Plan): void {
    if (this.#isClosing) return call.end(refusal);
    this.#calls.add(call);
    plan.start(call);
  }

  readonly release = (call: Call): void => {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#onEmpty?.();
  };

  /** Lets the calls run on for a while, then cuts them; resolves when there are none. */
  close(graceMs: number, scheduler: SchedulerLike = asyncScheduler): Promise<void> {
    this.#closed ??= this.#close(graceMs, scheduler);
    return this.#closed;
  }

  async #close(graceMs: number, scheduler: SchedulerLike): Promise<void> {
    this.#isClosing = true;
    this.closing.next();
    if (this.#calls.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    const timer = unheld(scheduler.schedule(() => this.#cutAll(), graceMs));
    await empty;
    timer.unsubscribe();
  }

  #cutAll(): void {
    for (const call of this.#calls) call.cut(new Disconnected(closed), refusal);
  }
}
