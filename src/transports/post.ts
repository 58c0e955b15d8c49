import type { IncomingMessage, ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import type { Servable } from "../events/index.ts";
import type { Decoded } from "../wire/index.ts";
import { type Accepted, readAccept } from "./accept.ts";
import { type Body, type ParsedRequest, readBody } from "./body.ts";
import type { LegacyPolicy } from "./era.ts";
import { HttpRequest } from "./http-request.ts";
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

interface Posted {
  readonly req: ParsedRequest;
  readonly res: ServerResponse;
  /** What `authenticate` returned. */
  readonly principal: unknown;
  /** Told when its body is there, or is not waited for any more. */
  readonly onRead: () => void;
  /** Told when it has become a request, just before its handler starts. */
  readonly onStart: () => void;
  /** Told when the response is closed and nothing runs any more. */
  readonly onClosed: () => void;
}

/** One POST: one message in, its answer out. */
export class Post {
  readonly #server: Servable;
  readonly #options: PostOptions;
  readonly #req: ParsedRequest;
  readonly #res: ServerResponse;
  readonly #posted: Posted;
  /** Node tells a response that waits behind another one nothing of their connection's end. */
  readonly #leaveQueue: (() => void) | undefined;
  #request: HttpRequest | undefined;
  /** The session that this very request begins. */
  #offered: HttpSession | undefined;
  #aborted = false;
  #closed = false;
  #release: (() => void) | undefined;

  constructor(server: Servable, options: PostOptions, posted: Posted) {
    const { req, res } = posted;
    this.#server = server;
    this.#options = options;
    this.#req = req;
    this.#res = res;
    this.#posted = posted;
    res.once("close", this.#close);
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
    this.#posted.onRead();
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
    this.#posted.onRead();
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
    const routed = route(message, this.#req, { ...this.#options, principal: this.#posted.principal });
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
    const { id, method } = request;
    const open = new HttpRequest(this.#server, this.#res, {
      request,
      limits: this.#options,
      closing: this.#options.closing,
      terms,
      accepted,
      principal: this.#posted.principal,
      header: (name) => headerOf(this.#req, name),
      questions: session?.questions,
      onAnswer: this.#onAnswer,
      onOver: () => {
        session?.remove(id);
        if (this.#closed) this.#posted.onClosed();
      },
    });
    this.#request = open;
    this.#posted.onStart();
    if (session !== undefined) {
      session.add(id, open);
      this.#release = this.#options.sessions.hold(session);
      if (method === "initialize") this.#offer(session);
    }
    open.start();
  }

  #offer(session: HttpSession): void {
    this.#offered = session;
    this.#res.setHeader(sessionHeader, session.id);
  }

  /** A handshake that failed leaves no session behind. */
  readonly #onAnswer = (isResult: boolean): void => {
    if (isResult || this.#offered === undefined) return;
    this.#options.sessions.end(this.#offered, new Disconnected("The handshake failed"));
    if (!this.#res.headersSent) this.#res.removeHeader(sessionHeader);
  };

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
    if (isOver) this.#posted.onClosed();
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === "string" ? value : value?.join(", ");
}

const sessionHeader = "Mcp-Session-Id";
const slowBody = refusal(408, "Expected the body sooner", { Connection: "close" });
const unacceptable = refusal(406, `Expected a client that accepts application/json or text/event-stream`);
