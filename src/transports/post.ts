import type { ServerResponse } from "node:http";
import type { Decoded } from "../wire/index.ts";
import { type Accepted, accepting, readAccept } from "./accept.ts";
import { type Body, type ParsedRequest, readBody } from "./body.ts";
import type { LegacyPolicy } from "./era.ts";
import { HttpRequest, type HttpRequestOwner } from "./http-request.ts";
import { type Refusal, refusal, refuse } from "./refusal.ts";
import type { ReplyLimits } from "./reply.ts";
import { reportFailure } from "./reports.ts";
import { whenResponseCloses } from "./response-close.ts";
import { type Route, route } from "./route.ts";
import type { Sessions } from "./sessions.ts";
import { Visit } from "./visit.ts";

export interface PostOptions extends ReplyLimits {
  readonly maxBodyBytes: number;
  /** Whether a stream may be the answer. */
  readonly streams: boolean;
  readonly legacy: LegacyPolicy;
  readonly sessions: Sessions;
  /** Aborted when the listener begins to close. */
  readonly closing: AbortSignal;
  /** Why no request is taken now, if so. */
  readonly turnedAway: () => Refusal | undefined;
}

type Routed = Extract<Route, { type: "request" }>;

/** Told how far a POST is. */
export interface PostOwner extends HttpRequestOwner {
  /** Its body is there, or is not waited for any more. */
  read(post: Post): void;
  /** It has become a request, whose handler is about to start. */
  started(post: Post, request: HttpRequest): void;
  /** Its response is closed before it became one. */
  closed(post: Post): void;
}

interface Posted {
  readonly req: ParsedRequest;
  readonly res: ServerResponse;
  /** What `authenticate` returned. */
  readonly principal: unknown;
}

/** One POST until it is refused or has become a request, which knows nothing of it any more. */
export class Post {
  readonly #options: PostOptions;
  readonly #owner: PostOwner;
  readonly #req: ParsedRequest;
  readonly #res: ServerResponse;
  readonly #principal: unknown;
  readonly #leaveQueue: (() => void) | undefined;
  #aborted = false;
  #closed = false;

  constructor(options: PostOptions, owner: PostOwner, { req, res, principal }: Posted) {
    this.#options = options;
    this.#owner = owner;
    this.#req = req;
    this.#res = res;
    this.#principal = principal;
    this.#leaveQueue = whenResponseCloses(req, res, this.#onClose);
  }

  /** Reads the message and answers it. Never rejects. */
  async answer(): Promise<void> {
    try {
      const accepted = this.#accepted();
      if (!accepted.json && !accepted.stream) return this.#refuse(unacceptable);
      const body = await this.#read();
      if (this.#aborted || this.#closed || body.type === "gone") return;
      if (body.type === "refused") return this.#refuse(body.refusal);
      this.#receive(body.message, accepted);
    } catch (cause) {
      reportFailure(this.#owner.server.diagnostics, cause);
      this.#res.destroy();
    }
  }

  /** A body that does not come must not keep others from being served. */
  giveUp(): void {
    this.#aborted = true;
    this.#owner.read(this);
    this.#refuse(slowBody);
    this.#req.destroy();
  }

  /** Answers before there is a request. */
  abort(_reason: Error, refusal: Refusal): void {
    this.#aborted = true;
    this.#refuse(refusal);
  }

  async #read(): Promise<Body> {
    const body = await readBody(this.#req, this.#options.maxBodyBytes);
    this.#owner.read(this);
    return body;
  }

  #accepted(): Accepted {
    const { json, stream } = readAccept(this.#req.headers.accept);
    return accepting(json, stream && this.#options.streams);
  }

  #receive(message: Decoded, accepted: Accepted): void {
    if (message.type === "request") {
      const refused = this.#options.turnedAway();
      if (refused !== undefined) return this.#refuse({ ...refused, id: message.id });
    }
    const { legacy, sessions } = this.#options;
    const routed = route(message, this.#req, { legacy, sessions, principal: this.#principal });
    switch (routed.type) {
      case "request":
        return this.#start(routed, accepted);
      case "taken":
        this.#res.writeHead(202).end();
        return;
      case "refused":
        return this.#refuse(routed.refusal);
    }
  }

  #start({ request, terms, session }: Routed, accepted: Accepted): void {
    const { closing, sessions } = this.#options;
    this.#stopListening();
    const open = new HttpRequest({
      request,
      terms,
      req: this.#req,
      res: this.#res,
      accepted,
      visit: session && new Visit(sessions, session, request),
      owner: this.#owner,
    });
    this.#owner.started(this, open);
    open.start({ request, terms, principal: this.#principal, closing, deliversProgress: accepted.stream });
  }

  #refuse(refused: Refusal): void {
    refuse(this.#res, refused);
  }

  readonly #onClose = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopListening();
    this.#owner.closed(this);
  };

  #stopListening(): void {
    this.#res.off("close", this.#onClose);
    this.#leaveQueue?.();
  }
}

const slowBody = refusal(408, "Expected the body sooner", { Connection: "close" });
const unacceptable = refusal(406, `Expected a client that accepts application/json or text/event-stream`);
