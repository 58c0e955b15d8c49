import type { Subscription } from "rxjs";
import { Disconnected } from "../errors.ts";
import type { ProgressToken, RequestEvent, RequestId, Servable, TerminalEvent } from "../events/index.ts";
import type { Envelope } from "../wire/index.ts";
import { exchangeOf } from "./admit.ts";
import type { Lane } from "./lane.ts";
import type { Pump } from "./pump.ts";
import { after } from "./timer.ts";

export interface OpenRequestOptions {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly envelope: Envelope;
  readonly principal: unknown;
  readonly pump: Pump;
  readonly lane: Lane;
  readonly closing: AbortSignal;
  readonly answerGapMs: number;
  /** Told when the last of it has been handed to the pump, or it was left. */
  readonly onOver: () => void;
}

/** One request in flight on a duplex connection. */
export class OpenRequest {
  readonly token: ProgressToken | undefined;
  readonly #options: OpenRequestOptions;
  #subscription: Subscription | undefined;
  #left: Error | undefined;
  #spoke = false;
  #isOver = false;
  #stopGap: (() => void) | undefined;
  #kept: TerminalEvent | undefined;

  constructor(options: OpenRequestOptions) {
    this.#options = options;
    this.token = options.envelope.progressToken;
  }

  start(server: Servable): void {
    const { id, method, params, envelope, principal, lane, closing } = this.#options;
    const subscription = server
      .dispatch(
        { id, method, params, progressToken: this.token, closing, whyLeft: () => this.#left },
        {
          ...exchangeOf(envelope),
          principal,
          header: noHeader,
          deliversProgress: true,
          drained: () => lane.drained(),
        },
      )
      .subscribe((event) => this.#print(event));
    // It may have been left while its handler was still being started.
    if (this.#left !== undefined) subscription.unsubscribe();
    else this.#subscription = subscription;
  }

  /** Aborts its handler; nothing more of it is written. */
  leave(reason: Error = new Disconnected()): void {
    if (this.#isOver) return;
    this.#left = reason;
    this.#stopGap?.();
    this.#over(true);
    this.#subscription?.unsubscribe();
  }

  /** Sends the answer that keeps its distance, if there is one; returns whether there was. */
  conclude(): boolean {
    if (this.#kept === undefined) return false;
    this.#stopGap?.();
    this.#end(this.#kept);
    return true;
  }

  #print(event: RequestEvent): void {
    switch (event.type) {
      case "progress":
        this.#spoke = true;
        return this.#options.lane.progress(event);
      case "elicitation":
        // The terminal `input-required` carries the questions.
        return undefined;
      case "notification":
        return this.#options.lane.send(event);
      case "result":
      case "error":
      case "input-required":
        return this.#answer(event);
    }
  }

  /**
   * The official client looks up who wants an update a moment after it has read it, and forgets the request
   * as soon as it reads the answer: what it reads in one piece with the answer is lost. So the answer keeps
   * its distance from the last update.
   */
  #answer(event: TerminalEvent): void {
    const { pump, answerGapMs } = this.#options;
    if (answerGapMs === 0 || !this.#spoke || !pump.wroteWithin(answerGapMs)) return this.#end(event);
    this.#kept = event;
    this.#stopGap = after(answerGapMs, () => this.#end(event));
  }

  #end(event: TerminalEvent): void {
    this.#options.lane.send(event);
    this.#over(false);
  }

  #over(silent: boolean): void {
    this.#isOver = true;
    this.#options.lane.end(silent);
    this.#options.onOver();
  }
}

const noHeader = (): undefined => undefined;
