import type { ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import type { Servable } from "../events/index.ts";
import type { Decoded } from "../wire/index.ts";
import { type Accepted, readAccept } from "./accept.ts";
import { type Body, type ParsedRequest, readBody } from "./body.ts";
import type { LegacyPolicy } from "./era.ts";
import { HttpRequest, type HttpRequestOwner } from "./http-request.ts";
import type { HttpSession } from "./http-session.ts";
import { closing, type Refusal, refusal, refuse } from "./refusal.ts";
import { reportFailure } from "./reports.ts";
import { type Route, route } from "./route.ts";
import type { Sessions } from "./sessions.ts";
import { whenSocketCloses } from "./socket-close.ts";
import { after } from "./timer.ts";

export interface PostOptions {
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
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
export interface PostOwner {
  /** Its body is there, or is not waited for any more. */
  read(post: Post): void;
  /** It has become a request; its handler is about to start. */
  started(post: Post): void;
  /** The response is closed and nothing runs any more. */
  closed(post: Post): void;
}

interface Posted {
  readonly req: ParsedRequest;
  readonly res: ServerResponse;
  /** What `authenticate` returned. */
  readonly principal: unknown;
}

/** One POST: one message in, its answer out. */
export class Post implements HttpRequestOwner {
  readonly #server: Servable;
  readonly #options: PostOptions;
  readonly #owner: PostOwner;
  readonly #req: ParsedRequest;
  readonly #res: ServerResponse;
  readonly #principal: unknown;
  /** Node tells a response that waits behind another one nothing of their connection's end. */
  readonly #leaveQueue: (() => void) | undefined;
  #request: HttpRequest | undefined;
  #session: HttpSession | undefined;
  /** The session that this very request begins. */
  #offered: HttpSession | undefined;
  #aborted = false;
  #closed = false;
  #release: (() => void) | undefined;

  constructor(server: Servable, options: PostOptions, owner: PostOwner, { req, res, principal }: Posted) {
    this.#server = server;
    this.#options = options;
    this.#owner = owner;
    this.#req = req;
    this.#res = res;
    this.#principal = principal;
    // It takes itself off; `once` would be two functions more for as long as the response is open.
    res.on("close", this.#close);
    this.#leaveQueue = res.socket === null ? whenSocketCloses(req.socket, this.#close) : undefined;
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
      reportFailure(this.#server.diagnostics, cause);
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

  /** Ends what the client still waits for, and what runs on without it. */
  abort(reason: Error): void {
    this.#aborted = true;
    if (this.#request === undefined) this.#refuse(closing);
    else this.#request.abort(reason, closing);
  }

  async #read(): Promise<Body> {
    const stop = after(this.#options.bodyTimeoutMs, () => this.giveUp());
    const body = await readBody(this.#req, this.#options.maxBodyBytes);
    stop();
    this.#owner.read(this);
    return body;
  }

  #accepted(): Accepted {
    const { json, stream } = readAccept(this.#req.headers.accept);
    return { json, stream: stream && this.#options.streams };
  }

  #receive(message: Decoded, accepted: Accepted): void {
    if (message.type === "request") {
      const refused = this.#options.turnedAway();
      if (refused !== undefined) return this.#refuse({ ...refused, id: message.id });
    }
    const routed = route(message, this.#req, { ...this.#options, principal: this.#principal });
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
    const open = new HttpRequest(this.#server, this.#res, {
      request,
      terms,
      accepted,
      limits: this.#options,
      questions: session?.questions,
      owner: this,
    });
    this.#request = open;
    this.#owner.started(this);
    if (session !== undefined) {
      this.#session = session;
      session.add(request.id, open);
      this.#release = sessions.hold(session);
      if (request.method === "initialize") this.#offer(session);
    }
    open.start({ request, terms, principal: this.#principal, closing, deliversProgress: accepted.stream });
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name.toLowerCase()];
    return typeof value === "string" ? value : value?.join(", ");
  }

  over(): void {
    if (this.#request !== undefined) this.#session?.remove(this.#request.id);
    if (this.#closed) this.#owner.closed(this);
  }

  #offer(session: HttpSession): void {
    this.#offered = session;
    this.#res.setHeader(sessionHeader, session.id);
  }

  /** A handshake that failed leaves no session behind. */
  answered(isResult: boolean): void {
    if (isResult || this.#offered === undefined) return;
    this.#options.sessions.end(this.#offered, new Disconnected("The handshake failed"));
    if (!this.#res.headersSent) this.#res.removeHeader(sessionHeader);
  }

  #refuse(refused: Refusal): void {
    refuse(this.#res, refused);
  }

  readonly #close = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    this.#res.off("close", this.#close);
    this.#leaveQueue?.();
    const isOver = this.#request?.isOver ?? true;
    this.#request?.close();
    this.#release?.();
    // Else it is over when its handler is.
    if (isOver) this.#owner.closed(this);
  };
}

const sessionHeader = "Mcp-Session-Id";
const slowBody = refusal(408, "Expected the body sooner", { Connection: "close" });
const unacceptable = refusal(406, `Expected a client that accepts application/json or text/event-stream`);
