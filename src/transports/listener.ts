import type { ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import type { Servable } from "../events/index.ts";
import type { ParsedRequest } from "./body.ts";
import { type OriginPolicy, originFault, provenanceOf } from "./origin.ts";
import { Post, type PostOptions } from "./post.ts";
import { closing, refusal, refuse, unavailable } from "./refusal.ts";
import { after } from "./timer.ts";
import { pathOf } from "./upgrade.ts";
import { warnUnheard } from "./warn.ts";

export interface ListenerOptions extends OriginPolicy, PostOptions {
  readonly maxInFlight: number;
  /** The only path that is answered; any when absent. */
  readonly path?: string | undefined;
}

/** The MCP endpoint. MCP 2026-07-28, basic/transports/streamable-http. */
export class Listener {
  readonly #server: Servable;
  readonly #options: ListenerOptions;
  readonly #closing = new AbortController();
  readonly #posts = new Set<Post>();
  #emptied: (() => void)[] = [];

  constructor(server: Servable, options: Omit<ListenerOptions, "closing">) {
    this.#server = server;
    this.#options = { ...options, closing: this.#closing.signal };
    warnUnheard(server.diagnostics);
  }

  answer(req: ParsedRequest, res: ServerResponse): void {
    // A write may race with the client's leaving, of which `close` tells.
    res.on("error", ignore);
    const fault = originFault(provenanceOf(req), this.#options);
    if (fault !== undefined) return refuse(res, refusal(403, fault));
    if (req.headers.origin !== undefined) shareWith(req.headers.origin, res);
    const { path } = this.#options;
    if (path !== undefined && pathOf(req) !== path) {
      res.writeHead(404).end();
      return;
    }
    if (req.method === "OPTIONS") return preflight(req, res);
    if (req.method !== "POST") return refuse(res, refusal(405, "Expected a POST", { Allow: allowedMethods }));
    this.#post(req, res);
  }

  /** Takes no new requests, lets those in flight finish within `graceMs`, aborts the rest; resolves when all are answered. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    await this.#emptyWithin(graceMs);
    for (const post of this.#posts) post.abort(new Disconnected("The server is closing"));
    await this.#emptyWithin(this.#options.writeTimeoutMs);
  }

  #post(req: ParsedRequest, res: ServerResponse): void {
    const { maxInFlight } = this.#options;
    if (this.#closing.signal.aborted) return refuse(res, closing);
    if (this.#posts.size >= maxInFlight) {
      return refuse(res, unavailable(`Too many requests in flight, at most ${maxInFlight}`));
    }
    const onClosed = (): void => {
      this.#posts.delete(post);
      if (this.#posts.size === 0) for (const resolve of this.#emptied.splice(0)) resolve();
    };
    const post = new Post(this.#server, this.#options, { req, res, onClosed });
    this.#posts.add(post);
    void post.answer();
  }

  #emptyWithin(ms: number): Promise<void> {
    if (this.#posts.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = after(ms, resolve);
      this.#emptied.push(stop, resolve);
    });
  }
}

const allowedMethods = "POST, OPTIONS";

/** Lets a page of this origin read the answer. */
function shareWith(origin: string, res: ServerResponse): void {
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.setHeader("Access-Control-Expose-Headers", "Retry-After");
  res.appendHeader("Vary", "Origin");
}

/** The headers that repeat a tool's parameters have any names, so what is asked for is what is allowed. */
function preflight({ headers }: ParsedRequest, res: ServerResponse): void {
  const asked = headers["access-control-request-headers"];
  res.writeHead(204, {
    Allow: allowedMethods,
    "Access-Control-Allow-Methods": allowedMethods,
    ...(asked !== undefined && { "Access-Control-Allow-Headers": asked }),
    "Access-Control-Max-Age": "7200",
  });
  res.end();
}

function ignore(): void {}
