import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Servable } from "../events/index.ts";
import { type AuthenticationPolicy, checkAuthentication } from "./authentication.ts";
import { checkLegacy } from "./era.ts";
import { listen } from "./listen.ts";
import { Listener, type ListenerOptions } from "./listener.ts";
import { checkNumbers } from "./numbers.ts";
import { checkOrigins, type OriginPolicy } from "./origin.ts";
import { after } from "./timer.ts";
import { checkPath } from "./upgrade.ts";
import { watchUpgraded } from "./upgraded-sockets.ts";

/**
 * Requests that arrive on a loopback address must name a loopback host or one of `allowedHosts`: those that
 * a proxy on the same machine passes on, too.
 */
export interface HttpOptions extends OriginPolicy, AuthenticationPolicy {
  /** `"json"` never streams: progress is dropped and subscriptions get 406. @default "stream" */
  readonly responses?: "stream" | "json" | undefined;
  /** How long an answer may be silent before a comment keeps it alive, in milliseconds. @default 15_000 */
  readonly keepAliveMs?: number | undefined;
  /** Whether clients of the 2025 revisions, which begin with `initialize`, are served. @default "serve" */
  readonly legacy?: "serve" | "reject" | undefined;
  /**
   * How long a session of such a client may have no response open before it ends, and with it what still
   * runs in it, in milliseconds. @default 1_800_000
   */
  readonly sessionIdleMs?: number | undefined;
  /** Sessions at once; one more ends the one that is idle for longest, or gets 503. @default 10_000 */
  readonly maxSessions?: number | undefined;
  /** A larger body gets 413, in bytes. @default 4_194_304 */
  readonly maxBodyBytes?: number | undefined;
  /** How long a client may take to send a body before it gets 408, in milliseconds. @default 30_000 */
  readonly bodyTimeoutMs?: number | undefined;
  /**
   * Requests that may be open at once; one more gets 503. As many bodies may be on their way; one more ends the
   * one that has been so for longest, with 408.
   * @default 1_000
   */
  readonly maxInFlight?: number | undefined;
  /** How long a client may take nothing before it is dropped, in milliseconds. @default 30_000 */
  readonly writeTimeoutMs?: number | undefined;
  /** What requests in flight get after `close()`, in milliseconds. @default 5_000 */
  readonly closeGraceMs?: number | undefined;
}

export interface CloseOptions {
  /** In milliseconds. @default the `closeGraceMs` of the listener */
  readonly graceMs?: number | undefined;
}

/** Answers the requests of `node:http`, Express and, given its raw request, Fastify. */
export interface HttpListener {
  /** `body` is what a framework has read and parsed: a value, a string or bytes. */
  (req: IncomingMessage & { readonly body?: unknown }, res: ServerResponse): void;
  /**
   * Answers new requests with 503, ends subscriptions, lets requests in flight finish within `graceMs` and
   * aborts the rest; resolves when all are answered. Connections stay open.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** Creates the MCP endpoint for a server that is yours. It answers on every path that it is mounted on. */
export function createHttpListener(server: Servable, options: HttpOptions = {}): HttpListener {
  return listenerOn(server, options, undefined);
}

export interface ServeHttpOptions extends HttpOptions {
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** @default 0, any free port */
  readonly port?: number | undefined;
  /** @default "/mcp" */
  readonly path?: string | undefined;
}

export interface HttpHandle {
  /** Where clients connect to. */
  readonly url: string;
  /** The server that listens, to share it with a WebSocket carrier. */
  readonly server: Server;
  /** Like the listener's `close`, and gives the address and all connections up. */
  close(options?: CloseOptions): Promise<void>;
}

/** Serves MCP over Streamable HTTP on an address of its own. Rejects when the address cannot be had. */
export async function serveHttp(server: Servable, options: ServeHttpOptions = {}): Promise<HttpHandle> {
  const { host = "127.0.0.1", port = 0, path = "/mcp" } = options;
  checkPath(path);
  const listener = listenerOn(server, options, path);
  const http = createServer(listener);
  const upgraded = watchUpgraded(http);
  const authority = await listen(http, host, port);
  return {
    url: `http://${authority}${path}`,
    server: http,
    async close(closeOptions = {}) {
      const graceMs = closeOptions.graceMs ?? options.closeGraceMs ?? 5_000;
      const began = performance.now();
      // It still listens: what runs may wait for an answer, which comes in a request of its own.
      await listener.close({ graceMs });
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      // What is left are WebSockets, which have a carrier of their own to close them.
      const stop = after(Math.max(0, graceMs - (performance.now() - began)), () => {
        for (const socket of upgraded) socket.destroy();
      });
      await closed;
      stop();
    },
  };
}

function listenerOn(server: Servable, options: HttpOptions, path: string | undefined): HttpListener {
  const { closeGraceMs = 5_000 } = options;
  const listener = new Listener(server, settingsOf(options, path));
  return Object.assign((req: IncomingMessage, res: ServerResponse): void => listener.answer(req, res), {
    close: ({ graceMs = closeGraceMs }: CloseOptions = {}) => {
      checkNumbers({ graceMs }, { graceMs: 0 });
      return listener.close(graceMs);
    },
  });
}

function settingsOf(options: HttpOptions, path: string | undefined): ListenerOptions {
  const { allowedHosts = [], allowedOrigins = [], responses = "stream" } = options;
  checkOrigins(options);
  checkAuthentication(options);
  checkNumbers(options, { ...atLeastOne, closeGraceMs: 0 });
  return {
    authenticate: options.authenticate,
    challenge: options.challenge,
    allowedHosts,
    allowedOrigins,
    path,
    streams: responses === "stream",
    legacy: checkLegacy(options.legacy),
    sessionIdleMs: options.sessionIdleMs ?? 1_800_000,
    maxSessions: options.maxSessions ?? 10_000,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    maxBodyBytes: options.maxBodyBytes ?? 4_194_304,
    bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000,
    maxInFlight: options.maxInFlight ?? 1_000,
    writeTimeoutMs: options.writeTimeoutMs ?? 30_000,
  };
}

const atLeastOne = {
  keepAliveMs: 1,
  maxBodyBytes: 1,
  bodyTimeoutMs: 1,
  maxInFlight: 1,
  writeTimeoutMs: 1,
  sessionIdleMs: 1,
  maxSessions: 1,
};
