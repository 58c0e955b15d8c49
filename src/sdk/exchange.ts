import type { McpServer as OfficialServer, ServerContext } from "@modelcontextprotocol/server";
import { Cancelled, Disconnected, isInstance, messageOf } from "../errors.ts";
import type { ClientCapabilities, Exchange, Implementation, IncomingRequest } from "../events/index.ts";
import { hasSealedForm } from "../mrtr/index.ts";
import { latestVersion, metaKeys } from "../wire/index.ts";

export interface RequestOptions {
  /** Whether the handler may have a state of its own in the SDK's way, which is no business of the core. */
  readonly ignoresForeignState?: boolean | undefined;
}

/** What a request is to the core. The SDK has checked its shape. */
export function requestOf(
  { mcpReq }: ServerContext,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { ignoresForeignState = false }: RequestOptions,
): IncomingRequest {
  const { id, _meta, inputResponses, signal } = mcpReq;
  const state: unknown = mcpReq.requestState();
  const isIgnored = ignoresForeignState && !(typeof state === "string" && hasSealedForm(state));
  const requestState = isIgnored ? undefined : state;
  return {
    id,
    method,
    params: {
      ...params,
      ...(_meta === undefined ? undefined : { _meta }),
      ...(inputResponses === undefined ? undefined : { inputResponses }),
      ...(requestState === undefined ? undefined : { requestState }),
    },
    progressToken: _meta?.progressToken,
    whyLeft: () => whyAborted(signal.reason),
  };
}

/** What the client may be asked when only the SDK knows what it can: the SDK refuses what it cannot. */
const unknownCapabilities: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export interface CallerOptions {
  /**
   * Who calls: `ctx.principal` in handlers. A question counts for the principal that was asked, by its JSON
   * form. All that one server serves has to tell callers alike. @default the `clientId` of the token that the
   * SDK's host has checked
   */
  readonly principal?: ((ctx: ServerContext) => unknown) | undefined;
}

export function principalOf(ctx: ServerContext, principal: CallerOptions["principal"]): unknown {
  return principal === undefined ? ctx.http?.authInfo?.clientId : principal(ctx);
}

export interface ExchangeOptions extends CallerOptions {
  /** Where the request came in; without it, what a client of 2025 can is not known. */
  readonly server?: OfficialServer | undefined;
  readonly drained: () => Promise<void>;
}

/**
 * What is known about a request. The core always speaks the modern form, whatever the client does: on
 * a connection of 2025 the SDK asks the questions of a round itself, and calls again.
 */
export function exchangeOf(ctx: ServerContext, { server, principal, drained }: ExchangeOptions): Exchange {
  const { envelope } = ctx.mcpReq;
  const said: Readonly<Record<string, unknown>> | undefined = envelope;
  const isOutOfReach = isStateless(ctx, server);
  const initialized = server === undefined ? unknownCapabilities : server.server.getClientCapabilities();
  const declared = said === undefined ? initialized : said[metaKeys.clientCapabilities];
  const capabilities = isOutOfReach ? {} : declared;
  const info = said === undefined ? server?.server.getClientVersion() : said[metaKeys.clientInfo];
  return {
    era: "modern",
    protocolVersion: latestVersion,
    client: { info: info as Implementation | undefined, capabilities: (capabilities ?? {}) as ClientCapabilities },
    cannotAsk: isOutOfReach ? noSession : undefined,
    principal: principalOf(ctx, principal),
    // The SDK compares headers with arguments itself.
    header: () => undefined,
    deliversProgress: true,
    drained,
  };
}

const noSession =
  "The client cannot be asked: this server keeps no sessions for clients of 2025, which is how `createMcpHandler` serves them. To ask them, hand the requests that `isLegacyRequest` recognizes to a Streamable HTTP transport with a `sessionIdGenerator`. A client of 2026-07-28 can be asked without";

/**
 * Whether a client of 2025 has shaken hands with another server than this one, which lives for one request:
 * nothing but the answer reaches such a client.
 */
function isStateless({ mcpReq, http, sessionId }: ServerContext, server: OfficialServer | undefined): boolean {
  if (mcpReq.envelope !== undefined || server?.server.getClientCapabilities() !== undefined) return false;
  return http?.req !== undefined && sessionId === undefined;
}

/**
 * The SDK aborts with what the client said, which may be nothing, or with an error of its own when the
 * connection is gone.
 */
function whyAborted(reason: unknown): Error {
  if (isInstance(reason, Cancelled) || isInstance(reason, Disconnected)) return reason;
  if (!isInstance(reason, Error)) return new Cancelled(messageOf(reason));
  // What a signal makes up itself, when it is aborted without a reason.
  return reason.name === "AbortError" ? new Cancelled() : new Disconnected(messageOf(reason));
}
