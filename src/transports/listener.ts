import type { ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import type { Servable } from "../events/index.ts";
import { INTERNAL_ERROR } from "../wire/index.ts";
import { type AuthenticationPolicy, identify } from "./authentication.ts";
import type { ParsedRequest } from "./body.ts";
import type { LegacyPolicy } from "./era.ts";
import type { HttpRequest } from "./http-request.ts";
import { enter } from "./http-session.ts";
import { type OriginPolicy, originFault, provenanceOf } from "./origin.ts";
import { Post, type PostOptions, type PostOwner } from "./post.ts";
import { closing, type Refusal, refusal, refuse, unavailable } from "./refusal.ts";
import { reportAuthentication, reportFailure } from "./reports.ts";
import { Rota } from "./rota.ts";
import { type SessionLimits, Sessions } from "./sessions.ts";
import { after } from "./timer.ts";
import { pathOf } from "./upgrade.ts";
import { warnUnheard } from "./warn.ts";

export interface ListenerOptions
  extends OriginPolicy,
    AuthenticationPolicy,
    SessionLimits,
    Omit<PostOptions, "closing" | "sessions" | "turnedAway" | "keepAlive"> {
  readonly maxInFlight: number;
  /** In milliseconds. */
  readonly bodyTimeoutMs: number;
  /** The only path that is answered; any when absent. */
  readonly path?: string | undefined;
}

/** The MCP endpoint. MCP 2026-07-28, basic/transports/streamable-http. */
export class Listener {
  readonly #server: Servable;
  readonly #options: ListenerOptions & PostOptions;
  readonly #closing = new AbortController();
  /** Whose response is not closed, or whose handler runs on without one. */
  readonly #open = new Set<Post | HttpRequest>();
  /** Those whose body is on its way. */
  readonly #reading: Rota<Post>;
  readonly #owner: PostOwner;
  /** How many have become a request. */
  #running = 0;
  #emptied: (() => void)[] = [];
  #authenticating = 0;

  constructor(server: Servable, options: ListenerOptions) {
    this.#server = server;
    this.#options = {
      ...options,
      closing: this.#closing.signal,
      sessions: new Sessions(options),
      keepAlive: new Rota(options.keepAliveMs, (reply) => reply.keep()),
      turnedAway: () => this.#turnedAway(),
    };
    this.#reading = new Rota(options.bodyTimeoutMs, (post) => post.giveUp());
    this.#owner = this.#createOwner();
    warnUnheard(server);
  }

  #createOwner(): PostOwner {
    return {
      server: this.#server,
      limits: this.#options,
      read: (post) => this.#reading.delete(post),
      started: (post, request) => {
        this.#running += 1;
        this.#open.delete(post);
        this.#open.add(request);
      },
      closed: (post) => {
        this.#reading.delete(post);
        this.#remove(post);
      },
      over: (request) => {
        this.#running -= 1;
        this.#remove(request);
      },
    };
  }

  answer(req: ParsedRequest, res: ServerResponse): void {
    // A write may race with the client's leaving, of which `close` tells.
    res.on("error", ignore);
    this.#guard(req, res, () => this.#answer(req, res));
  }

  /** Goes on with a request that is still there; what goes wrong costs its connection and nothing else. */
  #guard(req: ParsedRequest, res: ServerResponse, proceed: () => void): void {
    try {
      if (!isOver(req, res)) proceed();
    } catch (cause) {
      reportFailure(this.#server.diagnostics, cause);
      res.destroy();
    }
  }

  #answer(req: ParsedRequest, res: ServerResponse): void {
    const fault = originFault(provenanceOf(req), this.#options);
    if (fault !== undefined) return refuse(res, refusal(403, fault));
    if (req.headers.origin !== undefined) shareWith(req.headers.origin, res);
    const { path } = this.#options;
    if (path !== undefined && pathOf(req) !== path) {
      res.writeHead(404).end();
      return;
    }
    if (req.method === "OPTIONS") return preflight(req, res, this.#options.legacy);
    if (this.#options.authenticate === undefined) return this.#serve(req, res, undefined);
    // An answer or a cancellation must get in where no other request does.
    const max = this.#options.maxInFlight * (req.headers["mcp-session-id"] === undefined ? 1 : 2);
    if (this.#authenticating >= max) return refuse(res, unavailable("Too many requests wait to be authenticated"));
    void this.#authenticate(req, res);
  }

  /** Never rejects. */
  async #authenticate(req: ParsedRequest, res: ServerResponse): Promise<void> {
    this.#authenticating += 1;
    const identity = await identify(req, this.#options);
    this.#authenticating -= 1;
    this.#guard(req, res, () => {
      switch (identity.type) {
        case "known":
          return this.#serve(req, res, identity.principal);
        case "unknown":
          return refuse(res, refusal(401, "Unauthorized", { "WWW-Authenticate": identity.challenge }));
        case "failed":
          reportAuthentication(this.#server.diagnostics, identity.cause);
          return refuse(res, failed);
      }
    });
  }

  #serve(req: ParsedRequest, res: ServerResponse, principal: unknown): void {
    if (req.method === "DELETE" && this.#endsSession(req)) return this.#delete(req, res, principal);
    if (req.method !== "POST") return refuse(res, refusal(405, "Expected a POST", { Allow: allowedMethods }));
    this.#post(req, res, principal);
  }

  /** Takes no new requests, lets those in flight finish within `graceMs`, aborts the rest; resolves when all are answered. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    await this.#emptyWithin(graceMs);
    for (const open of this.#open) open.abort(new Disconnected("The server is closing"), closing);
    await this.#emptyWithin(this.#options.writeTimeoutMs);
    this.#options.sessions.close(new Disconnected("The server is closing"));
  }

  /** To a modern client, DELETE is a method like any other that is not there. */
  #endsSession({ headers }: ParsedRequest): boolean {
    return this.#options.legacy === "serve" && headers["mcp-session-id"] !== undefined;
  }

  #delete(req: ParsedRequest, res: ServerResponse, principal: unknown): void {
    const { sessions } = this.#options;
    const entry = enter(req, (id) => sessions.find(id, principal));
    if (entry.type === "refused") return refuse(res, entry.refusal);
    if (entry.type === "entered") sessions.end(entry.session, new Disconnected("The client ended the session"));
    res.writeHead(204).end();
  }

  #post(req: ParsedRequest, res: ServerResponse, principal: unknown): void {
    const refused = this.#isOfSession(req, principal) ? undefined : this.#turnedAway();
    if (refused !== undefined) return refuse(res, refused);
    const post = new Post(this.#options, this.#owner, { req, res, principal });
    this.#makeRoom();
    this.#open.add(post);
    this.#reading.add(post);
    void post.answer();
  }

  #remove(open: Post | HttpRequest): void {
    this.#open.delete(open);
    if (this.#open.size === 0) for (const resolve of this.#emptied.splice(0)) resolve();
  }

  /** Most bodies come with their headers: where too many are on their way, the slowest is not worth the wait. */
  #makeRoom(): void {
    if (this.#reading.size < this.#options.maxInFlight) return;
    this.#reading.first?.giveUp();
  }

  /** What belongs to a request in flight, an answer or a cancellation, must get in where no other request does. */
  #isOfSession({ headers }: ParsedRequest, principal: unknown): boolean {
    const id = headers["mcp-session-id"];
    return typeof id === "string" && this.#options.sessions.find(id, principal) !== undefined;
  }

  #turnedAway(): Refusal | undefined {
    if (this.#closing.signal.aborted) return closing;
    const { maxInFlight } = this.#options;
    if (this.#running < maxInFlight) return undefined;
    return unavailable(`Too many requests in flight, at most ${maxInFlight}`);
  }

  #emptyWithin(ms: number): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = after(ms, resolve);
      this.#emptied.push(stop, resolve);
    });
  }
}

const allowedMethods = "POST, OPTIONS";
const failed: Refusal = { status: 500, error: { code: INTERNAL_ERROR, message: "Internal error" } };

/**
 * Whether a middleware has answered already, or the client left while one took its time: `close` would tell
 * nobody any more. Node tells only the socket of a response that waits behind another one.
 */
function isOver({ socket }: ParsedRequest, res: ServerResponse): boolean {
  return res.headersSent || res.writableEnded || res.destroyed || res.closed || socket.destroyed;
}

/** Lets a page of this origin read the answer. */
function shareWith(origin: string, res: ServerResponse): void {
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.setHeader("Access-Control-Expose-Headers", "Retry-After, Mcp-Session-Id");
  res.appendHeader("Vary", "Origin");
}

/** The headers that repeat a tool's parameters have any names, so what is asked for is what is allowed. */
function preflight({ headers }: ParsedRequest, res: ServerResponse, legacy: LegacyPolicy): void {
  const asked = headers["access-control-request-headers"];
  res.writeHead(204, {
    Allow: allowedMethods,
    "Access-Control-Allow-Methods": legacy === "serve" ? `${allowedMethods}, DELETE` : allowedMethods,
    ...(asked !== undefined && { "Access-Control-Allow-Headers": asked }),
    "Access-Control-Max-Age": "7200",
  });
  res.end();
}

function ignore(): void {}
