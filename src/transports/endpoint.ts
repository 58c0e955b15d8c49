import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { describeGiven } from "../errors.ts";
import { type AuthenticationPolicy, checkAuthentication, identify } from "./authentication.ts";
import { listen } from "./listen.ts";
import { checkNumbers } from "./numbers.ts";
import { checkOrigins, type OriginPolicy, originFault, provenanceOf } from "./origin.ts";
import type { Peer } from "./peer.ts";
import { ignoreOffer, isWebSocket, refuseUnserved } from "./unserved.ts";
import { checkPath, offers, pathOf, refuseUpgrade } from "./upgrade.ts";
import { upgraders } from "./upgraded-sockets.ts";

/** The sub-protocol that a client must offer: `new WebSocket(url, "mcp")`. */
export const subProtocol = "mcp";

/** Who may connect to an endpoint, and what its connections bear, whatever is said on them. */
export interface EndpointOptions extends OriginPolicy, AuthenticationPolicy {
  /** @default "/mcp" */
  readonly path?: string | undefined;
  /** A larger message closes the connection with 1009, in bytes. @default 4_194_304 */
  readonly maxMessageBytes?: number | undefined;
  /** Requests that may be open at once on one connection. @default 1_000 */
  readonly maxInFlight?: number | undefined;
  /** How long a client may take nothing before it is dropped, in milliseconds. @default 30_000 */
  readonly writeTimeoutMs?: number | undefined;
  /** How often a client is pinged; one that misses two in a row is dropped, in milliseconds. @default 30_000 */
  readonly pingMs?: number | undefined;
  /** What requests in flight get after `close()`, in milliseconds. @default 5_000 */
  readonly closeGraceMs?: number | undefined;
}

/** An address of its own. */
export interface OwnAddress {
  readonly server?: undefined;
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** @default 0, any free port */
  readonly port?: number | undefined;
}

/** An HTTP server that others share, which `close()` leaves open. */
export interface SharedServer {
  readonly server: HttpServer | HttpsServer;
}

export interface WebSocketHandle {
  /**
   * Takes no new connections or requests, lets requests in flight finish within `closeGraceMs`, aborts the
   * rest and closes every connection with 1001.
   */
  close(): Promise<void>;
}

/** A handle with the address that clients connect to. */
export interface ListeningWebSocket extends WebSocketHandle {
  readonly url: string;
}

/** A client that has been let in. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly peer: Peer;
  readonly socket: Duplex;
  /** What `authenticate` returned. */
  readonly principal: unknown;
}

export interface Connection {
  /** Lets requests in flight finish within `graceMs`, then closes with 1001. Resolves when the socket is closed. */
  close(graceMs: number): Promise<void>;
}

/** What happens on an endpoint. */
export interface Reception {
  readonly open: (arrival: Arrival) => Connection;
  /** Told when `authenticate` has thrown. */
  readonly onFailed: (cause: unknown) => void;
}

/**
 * Takes the WebSocket upgrades of one path, on an address of its own or on a server that others share. With an
 * address of its own, the handle is a `ListeningWebSocket`.
 * @throws TypeError or RangeError for options that cannot be.
 */
export async function openEndpoint(
  options: EndpointOptions & (OwnAddress | SharedServer),
  reception: Reception,
): Promise<WebSocketHandle> {
  const { path = "/mcp", closeGraceMs = 5_000 } = options;
  checkPath(path);
  checkOrigins(options);
  checkAuthentication(options);
  checkNumbers(options, { maxMessageBytes: 1, maxInFlight: 1, writeTimeoutMs: 1, pingMs: 1, closeGraceMs: 0 });
  const http = options.server ?? createServer(answerPlain);
  if (typeof http.on !== "function") {
    throw new TypeError(
      `Expected \`server\` to be a server of node:http or node:https, such as the \`server\` of what serveHttp returns, got ${describeGiven(http)}`,
    );
  }
  const acceptor = new Acceptor(reception, http, { ...options, path });
  if (options.server !== undefined) return { close: () => acceptor.close(closeGraceMs) };

  const { host = "127.0.0.1", port = 0 } = options;
  const authority = await listen(http, host, port);
  const handle: ListeningWebSocket = {
    url: `ws://${authority}${path}`,
    async close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      await acceptor.close(closeGraceMs);
      http.closeAllConnections();
      await closed;
    },
  };
  return handle;
}

/** Of how many parts a message may be, and what may wait for its turn: not left to what `ws` has for defaults. */
export const partLimits = { maxFragments: 16_384, maxBufferedChunks: 262_144 };

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

type AcceptorOptions = EndpointOptions & { readonly path: string };

/** Those that share an HTTP server, in the order in which they came. */
const acceptors = new WeakMap<object, readonly Acceptor[]>();

/** Takes the upgrades of an HTTP server that are meant for this path. */
class Acceptor {
  readonly #reception: Reception;
  readonly #http: HttpServer | HttpsServer;
  readonly #options: AcceptorOptions;
  readonly #upgrader: WebSocketServer;
  readonly #connections = new Set<Connection>();

  constructor(reception: Reception, http: HttpServer | HttpsServer, options: AcceptorOptions) {
    this.#reception = reception;
    this.#http = http;
    this.#options = options;
    this.#upgrader = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: options.maxMessageBytes ?? 4_194_304,
      ...partLimits,
      handleProtocols: () => subProtocol,
    });
    if (acceptors.get(http)?.some(({ path }) => path === options.path)) {
      throw new TypeError(`Expected each path once on a server, got "${options.path}" twice`);
    }
    acceptors.set(http, [...(acceptors.get(http) ?? []), this]);
    http.on("upgrade", this.#onUpgrade);
  }

  get path(): string {
    return this.#options.path;
  }

  async close(graceMs: number): Promise<void> {
    this.#http.off("upgrade", this.#onUpgrade);
    const others = (acceptors.get(this.#http) ?? []).filter((acceptor) => acceptor !== this);
    acceptors.set(this.#http, others);
    await Promise.all([...this.#connections].map((connection) => connection.close(graceMs)));
  }

  readonly #onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const ours = acceptors.get(this.#http) ?? [];
    // The peer may reset the connection before anybody else watches it; the first of ours does for all.
    if (ours[0] === this) socket.on("error", () => socket.destroy());
    if (!isWebSocket(request) || pathOf(request) !== this.#options.path) {
      if (ours.at(-1) === this) this.#pass({ request, socket, head }, ours);
      return;
    }
    const fault = originFault(provenanceOf(request), this.#options);
    if (fault !== undefined) return refuseUpgrade(socket, 403, fault);
    if (!offers(request, subProtocol)) return refuseUpgrade(socket, 400, `Expected the sub-protocol ${subProtocol}`);
    if (this.#options.authenticate === undefined) return this.#upgrade({ request, socket, head }, undefined);
    void this.#authenticate({ request, socket, head });
  };

  /** Where no others listen for upgrades, one that none of ours serves is nobody's. */
  #pass({ request, socket, head }: Upgrade, ours: readonly Acceptor[]): void {
    const othersListen = upgraders(this.#http) > ours.length;
    if (!isWebSocket(request)) {
      if (!othersListen) ignoreOffer(this.#http, request, { socket, head });
    } else if (!ours.some(({ path }) => path === pathOf(request))) {
      if (othersListen) refuseUnserved(socket);
      else refuseUpgrade(socket, 404, "Not found");
    }
  }

  async #authenticate(upgrade: Upgrade): Promise<void> {
    const { request, socket } = upgrade;
    // The client may leave while it is looked up.
    const onError = (): void => void socket.destroy();
    socket.on("error", onError);
    const identity = await identify(request, this.#options);
    socket.off("error", onError);
    if (socket.destroyed) return;
    switch (identity.type) {
      case "known":
        return this.#upgrade(upgrade, identity.principal);
      case "unknown":
        return refuseUpgrade(socket, 401, "Unauthorized", { "WWW-Authenticate": identity.challenge });
      case "failed":
        this.#reception.onFailed(identity.cause);
        return refuseUpgrade(socket, 500, "Internal error");
    }
  }

  #upgrade({ request, socket, head }: Upgrade, principal: unknown): void {
    this.#upgrader.handleUpgrade(request, socket, head, (peer) => {
      const connection = this.#reception.open({ request, peer, socket, principal });
      this.#connections.add(connection);
      peer.once("close", () => this.#connections.delete(connection));
    });
  }
}

function answerPlain(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(426, { Connection: "Upgrade", Upgrade: "websocket" }).end();
}
