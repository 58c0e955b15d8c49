import type { Servable } from "../events/index.ts";
import {
  type EndpointOptions,
  type ListeningWebSocket,
  type OwnAddress,
  openEndpoint,
  type SharedServer,
  type WebSocketHandle,
} from "./endpoint.ts";
import { checkLegacy } from "./era.ts";
import { checkNumbers } from "./numbers.ts";
import { reportAuthentication } from "./reports.ts";
import { warnUnheard } from "./warn.ts";
import { openConnection } from "./websocket-connection.ts";

export type { ListeningWebSocket, WebSocketHandle } from "./endpoint.ts";

export interface WebSocketOptions extends EndpointOptions {
  /** Whether clients of the 2025 revisions, which begin with `initialize`, are served. @default "serve" */
  readonly legacy?: "serve" | "reject" | undefined;
  /**
   * How long an answer keeps its distance from the last update of its request, in milliseconds: the official
   * client loses the updates that it reads in one piece with the answer. @default 10
   */
  readonly answerGapMs?: number | undefined;
}

/** Listens on an address of its own. */
export interface ListenOptions extends WebSocketOptions, OwnAddress {}

/** Shares an HTTP server, which `close()` leaves open. */
export interface ShareOptions extends WebSocketOptions, SharedServer {}

/**
 * Serves MCP over WebSocket, the custom transport that `PROTOCOL.md` specifies: one JSON-RPC message per
 * text message, sub-protocol `mcp`. A shared server's upgrades are taken from the moment of the call.
 */
export function serveWebSocket(server: Servable, options?: ListenOptions): Promise<ListeningWebSocket>;
export function serveWebSocket(server: Servable, options: ShareOptions): Promise<WebSocketHandle>;
export async function serveWebSocket(
  server: Servable,
  options: ListenOptions | ShareOptions = {},
): Promise<WebSocketHandle> {
  checkLegacy(options.legacy);
  checkNumbers(options, { answerGapMs: 0 });
  warnUnheard(server);
  return openEndpoint(options, {
    open: ({ peer, socket, principal }) => openConnection(server, peer, socket, { ...options, principal }),
    onFailed: (cause) => reportAuthentication(server.diagnostics, cause),
  });
}
