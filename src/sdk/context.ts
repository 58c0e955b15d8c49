import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpToolContext } from "../mrtr/index.ts";
import { type Awaitable, createMcpServer, type ToolDefinition } from "../server/index.ts";
import { carry } from "./carry.ts";
import { keysOf } from "./keys.ts";
import type { MountOptions } from "./mount.ts";
import { contextDiagnostics } from "./told.ts";

/** What a wrapped handler of the SDK gets: all that a tool's handler has here, and what it had before. */
export interface SdkToolContext extends McpToolContext {
  /** The SDK's own context of this request. */
  readonly sdk: ServerContext;
}

export interface ToolContextOptions extends MountOptions {
  /**
   * The name that the tool is registered under. Asking and `once` need it, for what the client carries between
   * rounds is bound to it, and the SDK does not say which tool it calls.
   */
  readonly name?: string | undefined;
}

/** What a handler of the SDK returns; it goes out untouched. */
export type ToolReturn = CallToolResult | InputRequiredResult;

/** A callback of `registerTool`: with arguments and the context, or with the context alone. */
export type SdkToolCallback = (...given: never[]) => Awaitable<ToolReturn>;

/** What stands behind such a callback: the same, with an `SdkToolContext`. */
export type SdkToolHandler<C extends SdkToolCallback> =
  Parameters<C> extends [...infer A, ServerContext]
    ? (...given: [...A, SdkToolContext]) => Awaitable<ToolReturn>
    : never;

/**
 * Gives one handler of the official SDK an `McpToolContext`, with the SDK's context as `ctx.sdk`. What it
 * returns goes out as it did before; a tool without `inputSchema` is called with the context alone.
 *
 * ```ts
 * server.registerTool("import", { inputSchema }, withToolContext(async ({ rows }, ctx) => { … }));
 * ```
 */
export function withToolContext<C extends SdkToolCallback = (ctx: ServerContext) => Promise<ToolReturn>>(
  handler: SdkToolHandler<C>,
  options?: ToolContextOptions,
): C;
/** Away from `registerTool` the arguments are annotated. */
export function withToolContext<A>(
  handler: (args: A, ctx: SdkToolContext) => Awaitable<ToolReturn>,
  options?: ToolContextOptions,
): (args: A, ctx: ServerContext) => Promise<ToolReturn>;
export function withToolContext(
  handler: (...given: never[]) => Awaitable<ToolReturn>,
  { name, principal, requestState = {}, ...settings }: ToolContextOptions = {},
): (...given: never[]) => Promise<ToolReturn> {
  const tool = wrappedTool(handler as Handler, name);
  const core = createMcpServer(
    { name: "wrapped", version: "0", tools: [tool] },
    { ...settings, requestState: { ...requestState, keys: keysOf(requestState) } },
  );
  core.diagnostics.subscribe((diagnostic) => contextDiagnostics.report(diagnostic));
  const options = {
    dispatch: core.dispatch,
    diagnostics: contextDiagnostics,
    principal,
    scheduler: settings.scheduler,
    hasOwnKey: requestState.keys === undefined,
    ignoresForeignState: true,
  };
  return async (...given: readonly unknown[]) => {
    const sdk = given.at(-1) as ServerContext;
    const call = new WrappedCall(given.slice(0, -1), sdk);
    const result = await carry(sdk, "tools/call", { name: tool.name, arguments: { call } }, options);
    if (call.failure !== undefined) throw call.failure;
    // A question that is open, and a failure, outdo what the handler returned.
    const isOutdone = result.isError === true || isInputRequiredResult(result);
    return isOutdone || call.returned === undefined ? (result as ToolReturn) : call.returned;
  };
}

type Handler = (...given: unknown[]) => Awaitable<ToolReturn>;

/** One call on its way through the core, which binds what it seals to the arguments: to their JSON form. */
class WrappedCall {
  readonly given: readonly unknown[];
  readonly sdk: ServerContext;
  returned: ToolReturn | undefined;
  /** An error that the SDK knows, for the SDK. */
  failure: ProtocolError | undefined;

  constructor(given: readonly unknown[], sdk: ServerContext) {
    this.given = given;
    this.sdk = sdk;
  }

  toJSON(): readonly unknown[] {
    return this.given;
  }
}

/** A definition that the SDK has checked and lists itself: its arguments arrive as they are. */
function wrappedTool(handler: Handler, name: string | undefined): ToolDefinition {
  return {
    type: "tool",
    name: name ?? "unnamed",
    inputSchema: z.unknown(),
    headerParameters: [],
    listing: {},
    handler: async (args, ctx) => {
      const { call } = args as { readonly call: WrappedCall };
      const own = Object.assign(ctx, { sdk: call.sdk }, name === undefined ? nameless : undefined);
      try {
        call.returned = await handler(...call.given, own);
      } catch (error) {
        if (ProtocolError.isInstance(error)) call.failure = error;
        throw error;
      }
    },
  };
}

/** What needs to be bound to a name. */
const nameless = { elicit: refuse, elicitUrl: refuse, requestInput: refuse, later: refuse, once: refuse };

function refuse(): Promise<never> {
  const refused = Promise.reject(
    new TypeError(
      "Expected the options of `withToolContext` to hold the tool's `name` for it to ask or to run once, got none",
    ),
  );
  refused.catch(() => undefined);
  return refused;
}
