import type { Subscription } from "rxjs";
import { Disconnected } from "../errors.ts";
import type { ProgressToken, RequestEvent, RequestId, Servable, TerminalEvent } from "../events/index.ts";
import type { Terms } from "./era.ts";
import { Asking, type Voice } from "./questions.ts";
import { after } from "./timer.ts";

export interface OpenRequestOptions extends Voice {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly terms: Terms;
  readonly principal: unknown;
  readonly closing: AbortSignal;
  readonly answerGapMs: number;
  /** Told of its result, before anything that comes after it. */
  readonly onResult?: (() => void) | undefined;
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
  /** The answer that keeps its distance, as it was when it came. */
  #kept: string | undefined;
  readonly #asking: Asking | undefined;

  constructor(options: OpenRequestOptions) {
    this.#options = options;
    this.token = options.terms.progressToken;
    if (options.terms.era === "legacy") this.#asking = new Asking(options);
  }

  start(server: Servable): void {
    const { id, method, params, terms, principal, lane, closing } = this.#options;
    const subscription = server
      .dispatch(
        { id, method, params, progressToken: this.token, closing, whyLeft: () => this.#left },
        {
          era: terms.era,
          protocolVersion: terms.protocolVersion,
          client: terms.client,
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

  /** Aborts its handler; nothing more of it is written, but that its questions are withdrawn. */
  leave(reason: Error): void {
    if (this.#isOver) return;
    this.#abandon(reason);
    this.#asking?.withdraw(reason);
  }

  /** Aborts its handler, for a client that is gone. */
  lose(reason: Error): void {
    if (this.#isOver) return;
    this.#abandon(reason);
    this.#asking?.fail(reason);
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
        // In the modern era the terminal `input-required` carries the questions.
        return this.#asking?.ask(event);
      case "notification":
        return this.#options.lane.send(event);
      case "result":
        this.#options.onResult?.();
        return this.#answer(event);
      case "error":
      case "input-required":
        return this.#answer(event);
    }
  }

  #abandon(reason: Error): void {
    this.#left = reason;
    this.#stopGap?.();
    this.#over(true);
    this.#subscription?.unsubscribe();
  }

  /**
   * The official client looks up who wants an update a moment after it has read it, and forgets the request
   * as soon as it reads the answer: what it reads in one piece with the answer is lost. So the answer keeps
   * its distance from the last update.
   */
  #answer(event: TerminalEvent): void {
    const { pump, lane, answerGapMs } = this.#options;
    this.#asking?.withdraw(new Disconnected("The request has ended"));
    const frame = lane.text(event);
    if (answerGapMs === 0 || !this.#spoke || !pump.wroteWithin(answerGapMs)) return this.#end(frame);
    this.#kept = frame;
    this.#stopGap = after(answerGapMs, () => this.#end(frame));
  }

  #end(frame: string): void {
    this.#options.lane.push(frame);
    this.#over(false);
  }

  #over(silent: boolean): void {
    this.#isOver = true;
    this.#options.lane.end(silent);
    this.#options.onOver();
  }
}

const noHeader = (): undefined => undefined;
