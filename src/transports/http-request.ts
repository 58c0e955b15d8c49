import type { ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import { isTerminal, type RequestEvent, type RequestId, type Servable } from "../events/index.ts";
import type { Accepted } from "./accept.ts";
import { type Cargo, Carried } from "./carried.ts";
import type { Terms } from "./era.ts";
import type { Questions } from "./questions.ts";
import type { Refusal } from "./refusal.ts";
import { Reply, type ReplyLimits, type ReplyOwner } from "./reply.ts";
import { reportFailure, reportSlowClient, reportUnserializable } from "./reports.ts";

/** What it came with. */
export interface HttpRequestOwner {
  header(name: string): string | undefined;
  /** Told before the answer is written whether it is a result. */
  answered(isResult: boolean): void;
  /** Told when its handler has ended or was left. */
  over(): void;
}

export interface HttpRequestOptions extends Pick<Cargo, "request" | "terms"> {
  readonly accepted: Accepted;
  readonly limits: ReplyLimits;
  /** The questions of its session; absent in the modern era. */
  readonly questions: Questions | undefined;
  readonly owner: HttpRequestOwner;
}

/** One request in flight on HTTP, and its answer. */
export class HttpRequest extends Carried implements ReplyOwner {
  readonly id: RequestId;
  readonly terms: Terms;
  readonly accepted: Accepted;
  readonly limits: ReplyLimits;
  readonly questions: Questions | undefined;
  readonly #server: Servable;
  readonly #res: ServerResponse;
  readonly #owner: HttpRequestOwner;
  readonly #method: string;
  readonly #reply: Reply;
  #isOver = false;

  constructor(server: Servable, res: ServerResponse, options: HttpRequestOptions) {
    super();
    const { request, terms, accepted, limits, questions, owner } = options;
    this.id = request.id;
    this.terms = terms;
    this.accepted = accepted;
    this.limits = limits;
    this.questions = questions;
    this.#server = server;
    this.#res = res;
    this.#owner = owner;
    this.#method = request.method;
    this.#reply = new Reply(res, this);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  start(cargo: Cargo): void {
    this.dispatch(this.#server, cargo);
  }

  override header(name: string): string | undefined {
    return this.#owner.header(name);
  }

  drained(): Promise<void> {
    return this.#reply.drained();
  }

  /** The client wants no answer any more: aborts the handler and ends the response without one. */
  cancel(reason: Error): void {
    if (this.#leave(reason)) this.#reply.cancel(reason);
  }

  /** Aborts the handler and answers with an error of the carrier. */
  abort(reason: Error, refusal: Refusal): void {
    if (this.#leave(reason)) this.#reply.fail(refusal);
  }

  /**
   * The response is closed. In the modern era that is a cancellation; in the legacy era the handler runs on
   * to its end, heard by nobody, and what it asks fails at once.
   */
  close(reason?: string): void {
    if (!this.#isOver && this.terms.era === "modern") this.#leave(new Disconnected(reason));
    this.#reply.close();
  }

  next(event: RequestEvent): void {
    if (!isTerminal(event)) return this.#reply.next(event);
    this.#over();
    this.#owner.answered(event.type === "result");
    this.#reply.next(event);
  }

  stalled(): void {
    reportSlowClient(this.#server.diagnostics);
    this.close("The client took nothing for too long");
    this.#res.destroy();
  }

  failed(cause: unknown): void {
    reportFailure(this.#server.diagnostics, cause);
    this.close("The connection was lost");
    this.#res.destroy();
  }

  unserializable(cause: unknown): void {
    reportUnserializable(this.#server.diagnostics, this.#method, cause);
  }

  #leave(reason: Error): boolean {
    if (this.#isOver) return false;
    this.abandon(reason);
    this.#over();
    return true;
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#owner.over();
  }
}
