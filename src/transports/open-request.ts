import { Disconnected } from "../errors.ts";
import type { ProgressToken, RequestEvent, RequestId, Servable, TerminalEvent } from "../events/index.ts";
import { createPrinter, type Framing } from "../wire/index.ts";
import { type Cargo, Carried } from "./carried.ts";
import type { Lane } from "./lane.ts";
import type { Pump } from "./pump.ts";
import { Asking, type Questions } from "./questions.ts";
import { reportUnserializable } from "./reports.ts";
import { after } from "./timer.ts";

/** What the requests on one duplex connection share. */
export interface Channel {
  readonly server: Servable;
  readonly pump: Pump;
  readonly framing: Framing;
  readonly questions: Questions;
  readonly answerGapMs: number;
  /** Told when the last of a request has been handed to the pump, or it was left. */
  over(open: OpenRequest): void;
}

/** One request in flight on a duplex connection. */
export class OpenRequest extends Carried {
  readonly id: RequestId;
  readonly token: ProgressToken | undefined;
  readonly #channel: Channel;
  readonly #method: string;
  readonly #lane: Lane;
  readonly #asking: Asking | undefined;
  readonly #onResult: (() => void) | undefined;
  #spoke = false;
  #isOver = false;
  #stopGap: (() => void) | undefined;
  /** The answer that keeps its distance, as it was when it came. */
  #kept: string | undefined;

  /** `onResult` is told of its result, before anything that comes after it. */
  constructor(channel: Channel, { request, terms }: Pick<Cargo, "request" | "terms">, onResult?: () => void) {
    super();
    const { pump, framing, questions } = channel;
    this.id = request.id;
    this.token = terms.progressToken;
    this.#channel = channel;
    this.#method = request.method;
    this.#lane = pump.lane(createPrinter({ id: this.id, progressToken: this.token, framing, owner: this }));
    this.#onResult = onResult;
    if (terms.era === "legacy") this.#asking = new Asking({ questions, framing, lane: this.#lane });
  }

  start(cargo: Cargo): void {
    this.dispatch(this.#channel.server, cargo);
  }

  drained(): Promise<void> {
    return this.#lane.drained();
  }

  unserializable(cause: unknown): void {
    reportUnserializable(this.#channel.server.diagnostics, this.#method, cause);
  }

  /** Aborts its handler; nothing more of it is written, but that its questions are withdrawn. */
  leave(reason: Error): void {
    if (this.#isOver) return;
    this.#giveUp(reason);
    this.#asking?.withdraw(reason);
  }

  /** Aborts its handler, for a client that is gone. */
  lose(reason: Error): void {
    if (this.#isOver) return;
    this.#giveUp(reason);
    this.#asking?.fail(reason);
  }

  /** Sends the answer that keeps its distance, if there is one; returns whether there was. */
  conclude(): boolean {
    if (this.#kept === undefined) return false;
    this.#stopGap?.();
    this.#end(this.#kept);
    return true;
  }

  next(event: RequestEvent): void {
    switch (event.type) {
      case "progress":
        this.#spoke = true;
        return this.#lane.progress(event);
      case "elicitation":
        // In the modern era the terminal `input-required` carries the questions.
        return this.#asking?.ask(event);
      case "notification":
        return this.#lane.send(event);
      case "result":
        this.#onResult?.();
        return this.#answer(event);
      case "error":
      case "input-required":
        return this.#answer(event);
    }
  }

  #giveUp(reason: Error): void {
    this.#stopGap?.();
    this.#over(true);
    this.abandon(reason);
  }

  /**
   * The official client looks up who wants an update a moment after it has read it, and forgets the request
   * as soon as it reads the answer: what it reads in one piece with the answer is lost. So the answer keeps
   * its distance from the last update.
   */
  #answer(event: TerminalEvent): void {
    const { pump, answerGapMs } = this.#channel;
    this.#asking?.withdraw(new Disconnected("The request has ended"));
    const frame = this.#lane.text(event);
    if (answerGapMs === 0 || !this.#spoke || !pump.wroteWithin(answerGapMs)) return this.#end(frame);
    this.#kept = frame;
    this.#stopGap = after(answerGapMs, () => this.#end(frame));
  }

  #end(frame: string): void {
    this.#lane.push(frame);
    this.#over(false);
  }

  #over(silent: boolean): void {
    this.#isOver = true;
    this.#lane.end(silent);
    this.#channel.over(this);
  }
}
