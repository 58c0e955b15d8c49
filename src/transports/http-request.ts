import type { ServerResponse } from "node:http";
import type { Subscription } from "rxjs";
import { Disconnected } from "../errors.ts";
import { isTerminal, type RequestEvent, type Servable } from "../events/index.ts";
import type { Decoded } from "../wire/index.ts";
import type { Accepted } from "./accept.ts";
import type { Terms } from "./era.ts";
import type { Questions } from "./questions.ts";
import type { Refusal } from "./refusal.ts";
import { Reply, type ReplyLimits } from "./reply.ts";
import { reportFailure, reportSlowClient, reportUnserializable } from "./reports.ts";

export interface HttpRequestOptions {
  readonly request: Extract<Decoded, { type: "request" }>;
  readonly terms: Terms;
  readonly principal: unknown;
  readonly header: (name: string) => string | undefined;
  readonly accepted: Accepted;
  readonly limits: ReplyLimits;
  readonly closing: AbortSignal;
  /** The questions of its session; absent in the modern era. */
  readonly questions?: Questions | undefined;
  /** Told before the answer is written whether it is a result. */
  readonly onAnswer?: ((isResult: boolean) => void) | undefined;
  /** Told when its handler has ended or was left. */
  readonly onOver: () => void;
}

/** One request in flight on HTTP, and its answer. */
export class HttpRequest {
  readonly #server: Servable;
  readonly #options: HttpRequestOptions;
  readonly #reply: Reply;
  #subscription: Subscription | undefined;
  #left: Error | undefined;
  #isOver = false;

  constructor(server: Servable, res: ServerResponse, options: HttpRequestOptions) {
    this.#server = server;
    this.#options = options;
    const { request, terms, accepted, questions, limits } = options;
    const { id, method } = request;
    const onUnserializable = (cause: unknown): void => reportUnserializable(server.diagnostics, method, cause);
    // Written out: a copy of options has a hidden class of its own, which costs more than the request.
    this.#reply = new Reply(res, {
      era: terms.era,
      accepted,
      questions,
      limits,
      printing: { id, progressToken: terms.progressToken, onUnserializable },
      onStalled: () => {
        reportSlowClient(server.diagnostics);
        this.close("The client took nothing for too long");
        res.destroy();
      },
      onFailed: (cause) => {
        reportFailure(server.diagnostics, cause);
        this.close("The connection was lost");
        res.destroy();
      },
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  start(): void {
    const { request, terms, principal, header, accepted, closing } = this.#options;
    const { id, method, params } = request;
    const subscription = this.#server
      .dispatch(
        { id, method, params, progressToken: terms.progressToken, closing, whyLeft: () => this.#left },
        {
          era: terms.era,
          protocolVersion: terms.protocolVersion,
          client: terms.client,
          principal,
          header,
          deliversProgress: accepted.stream,
          drained: () => this.#reply.drained(),
        },
      )
      .subscribe((event) => this.#next(event));
    if (this.#left === undefined) this.#subscription = subscription;
    else subscription.unsubscribe();
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
    if (!this.#isOver && this.#options.terms.era === "modern") this.#leave(new Disconnected(reason));
    this.#reply.close();
  }

  #next(event: RequestEvent): void {
    if (!isTerminal(event)) return this.#reply.next(event);
    this.#over();
    this.#options.onAnswer?.(event.type === "result");
    this.#reply.next(event);
  }

  #leave(reason: Error): boolean {
    if (this.#isOver) return false;
    this.#left = reason;
    this.#subscription?.unsubscribe();
    this.#over();
    return true;
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onOver();
  }
}
