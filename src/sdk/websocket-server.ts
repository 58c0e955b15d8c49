import type { IncomingMessage } from "node:http";
import { attempt, describeThrown } from "../errors.ts";
import { checkNumbers } from "../transports/index.ts";
import {
  byteSink,
  type EndpointOptions,
  encodeTextFrames,
  type ListeningWebSocket,
  type OwnAddress,
  openEndpoint,
  type SharedServer,
  upgradedStream,
  type WebSocketHandle,
} from "../transports/node.ts";
import { ServerTransport } from "./websocket-connection.ts";
import type { AuthInfo, WebSocketTransport } from "./websocket-transport.ts";

type Awaitable<T> = T | Promise<T>;

export interface ServeTransportsOptions extends EndpointOptions {
  /**
   * Says who connects, from the headers of the upgrade; may take its time. What it returns is every message's
   * `extra.authInfo`. `undefined`, `null` or `false` refuses with 401; what it throws, with 500.
   * @default nobody is asked
   */
  readonly authenticate?: ((request: IncomingMessage) => Awaitable<AuthInfo | undefined | null | false>) | undefined;
  /**
   * How long an answer keeps its distance from the last update of its request, in milliseconds: on other client
   * transports than the one of this package the official client loses the updates that it reads in one piece
   * with the answer. @default 10
   */
  readonly answerGapMs?: number | undefined;
  /** Told of what `authenticate` and the taker of transports throw; what it throws itself is dropped. @default a process warning */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Listens on an address of its own. */
export interface ListenOptions extends ServeTransportsOptions, OwnAddress {}

/** Shares an HTTP server, which `close()` leaves open. */
export interface ShareOptions extends ServeTransportsOptions, SharedServer {}

/**
 * Takes the transport of one connection: connects a server of its own to it, or hands it to the SDK's
 * `serveStdio`. What it throws or rejects with closes the connection with 1011. `authInfo` is what `authenticate`
 * returned: `serveStdio` does not pass it on to handlers, so a factory must take it from here.
 */
export type TakeTransport = (
  transport: WebSocketTransport,
  request: IncomingMessage,
  authInfo: AuthInfo | undefined,
) => unknown;

/**
 * Serves the official SDK's servers over WebSocket: each connection is a transport of its own. The SDK serves
 * both eras on one through `serveStdio(factory, { transport })`, and the 2025 revisions through
 * `server.connect(transport)`.
 * @throws TypeError or RangeError for options that cannot be.
 */
export function serveTransports(take: TakeTransport, options?: ListenOptions): Promise<ListeningWebSocket>;
export function serveTransports(take: TakeTransport, options: ShareOptions): Promise<WebSocketHandle>;
export async function serveTransports(
  take: TakeTransport,
  options: ListenOptions | ShareOptions = {},
): Promise<WebSocketHandle> {
  if (typeof take !== "function") throw new TypeError(`Expected \`take\` to be a function, got ${typeof take}`);
  if (options.onError !== undefined && typeof options.onError !== "function") {
    throw new TypeError(`Expected \`onError\` to be a function, got ${typeof options.onError}`);
  }
  checkNumbers(options, { answerGapMs: 0 });
  const { onError = warn } = options;
  // What goes wrong while something went wrong has nobody left to go to.
  const tell = (error: unknown): void => void attempt(() => onError(error));
  return openEndpoint(options, {
    open({ request, peer, socket, principal }) {
      // Nobody listens yet: what comes in waits in the socket.
      peer.pause();
      const sink = byteSink(
        upgradedStream(peer, socket, () => undefined),
        encodeTextFrames,
      );
      const transport = new ServerTransport(peer, sink, { ...options, authInfo: principal });
      const authInfo = principal as AuthInfo | undefined;
      void hand(() => take(transport, request, authInfo)).catch((error) => {
        tell(error);
        void transport.fail();
      });
      return { close: (graceMs) => transport.conclude(graceMs) };
    },
    onFailed: tell,
  });
}

async function hand(take: () => unknown): Promise<void> {
  await take();
}

function warn(error: unknown): void {
  process.emitWarning(`A WebSocket connection could not be served: ${describeThrown(error)}`, "McpHeadwayWarning");
}
