import type { IncomingMessage, ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import {
  type Exchange,
  isTerminal,
  type ProgressToken,
  type RequestEvent,
  type RequestId,
  type Servable,
} from "../events/index.ts";
import type { Accepted } from "./accept.ts";
import { type Cargo, Carried } from "./carried.ts";
import type { Questions } from "./questions.ts";
import type { Refusal } from "./refusal.ts";
import { Reply, type ReplyLimits, type ReplyOwner } from "./reply.ts";
import { reportFailure, reportSlowClient, reportUnserializable } from "./reports.ts";
import { whenResponseCloses } from "./response-close.ts";
import type { Visit } from "./visit.ts";

/** What the requests of one listener share. */
export interface HttpRequestOwner {
  readonly server: Servable;
  readonly limits: ReplyLimits;
  /** Told once that its response is closed and its handler has ended or was left. */
  over(request: HttpRequest): void;
}

export interface HttpRequestOptions extends Pick<Cargo, "request" | "terms"> {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly accepted: Accepted;
  /** Absent in the modern era, which has no sessions. */
  readonly visit: Visit | undefined;
  readonly owner: HttpRequestOwner;
}

/** One request in flight on HTTP, and its answer. */
export class HttpRequest extends Carried implements ReplyOwner {
  readonly id: RequestId;
  readonly era: Exchange["era"];
  readonly progressToken: ProgressToken | undefined;
  readonly accepted: Accepted;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #owner: HttpRequestOwner;
  readonly #visit: Visit | undefined;
  readonly #method: string;
  readonly #reply: Reply;
  readonly #leaveQueue: (() => void) | undefined;
  #isOver = false;
  #isClosed = false;

  constructor({ request, terms, req, res, accepted, visit, owner }: HttpRequestOptions) {
    super();
    this.id = request.id;
    this.era = terms.era;
    this.progressToken = terms.progressToken;
    this.accepted = accepted;
    this.#req = req;
    this.#res = res;
    this.#owner = owner;
    this.#visit = visit;
    this.#method = request.method;
    this.#reply = new Reply(res, this);
    this.#leaveQueue = whenResponseCloses(req, res, this.#close.bind(this));
  }

  get limits(): ReplyLimits {
    return this.#owner.limits;
  }

  /** Where it may ask; absent in the modern era. */
  get questions(): Questions | undefined {
    return this.#visit?.questions;
  }

  start(cargo: Cargo): void {
    this.#visit?.started(this, this.#res);
    this.dispatch(this.#owner.server, cargo);
  }

  override header(name: string): string | undefined {
    const value = this.#req.headers[name.toLowerCase()];
    return typeof value === "string" ? value : value?.join(", ");
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

  next(event: RequestEvent): void {
    if (!isTerminal(event)) return this.#reply.next(event);
    this.#end();
    this.#visit?.answered(event.type === "result", this.#res);
    this.#reply.next(event);
  }

  stalled(): void {
    reportSlowClient(this.#owner.server.diagnostics);
    this.#lose("The client took nothing for too long");
    this.#res.destroy();
  }

  failed(cause: unknown): void {
    reportFailure(this.#owner.server.diagnostics, cause);
    this.#lose("The connection was lost");
    this.#res.destroy();
  }

  unserializable(cause: unknown): void {
    reportUnserializable(this.#owner.server.diagnostics, this.#method, cause);
  }

  #close(): void {
    if (this.#isClosed) return;
    const isOver = this.#isOver;
    this.#isClosed = true;
    this.#leaveQueue?.();
    this.#lose();
    this.#visit?.closed();
    // Else it is told so when its handler is over.
    if (isOver) this.#owner.over(this);
  }

  /**
   * The response is closed. In the modern era that is a cancellation; in the legacy era the handler runs on
   * to its end, heard by nobody, and what it asks fails at once.
   */
  #lose(reason?: string): void {
    if (this.era === "modern") this.#leave(new Disconnected(reason));
    this.#reply.close();
  }

  #leave(reason: Error): boolean {
    if (this.#isOver) return false;
    this.abandon(reason);
    this.#end();
    return true;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#visit?.over();
    if (this.#isClosed) this.#owner.over(this);
  }
}
