import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  McpServer as OfficialServer,
  ReadResourceResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { McpPromptContext, McpResourceContext, McpToolContext } from "../mrtr/index.ts";
import type { Awaitable } from "../server/index.ts";
import { promptKind, resourceKind, toolKind } from "./kind.ts";
import type { MountOptions } from "./mount.ts";
import { type AnyHandler, wrap } from "./wrap.ts";

interface OfSdk {
  /** The SDK's own context of this request. */
  readonly sdk: ServerContext;
}

/** What a wrapped tool of the SDK gets: all that a tool's handler has here, and what it had before. */
export interface SdkToolContext extends McpToolContext, OfSdk {}

/** What a wrapped prompt of the SDK gets. */
export interface SdkPromptContext extends McpPromptContext, OfSdk {}

/** What a wrapped resource of the SDK gets. */
export interface SdkResourceContext extends McpResourceContext, OfSdk {}

export interface ContextOptions extends MountOptions {
  /**
   * The name that the tool or prompt is registered under. Asking and `once` need it, for what the client carries
   * between rounds is bound to it, and the SDK does not say what it calls. A resource is known by its URI.
   */
  readonly name?: string | undefined;
  /**
   * The server that it is registered on, for `ctx.client`: the SDK does not say what a client of 2025 is and can
   * do. Without it such a client counts as one that can be asked everything, and the SDK refuses what it cannot.
   */
  readonly server?: OfficialServer | undefined;
}

/** What a tool of the SDK returns; it goes out untouched. */
export type ToolReturn = CallToolResult | InputRequiredResult;

/** What a prompt of the SDK returns; it goes out untouched. */
export type PromptReturn = GetPromptResult | InputRequiredResult;

/** What a resource of the SDK returns; it goes out untouched. */
export type ResourceReturn = ReadResourceResult | InputRequiredResult;

/** A callback that the SDK gives arguments and the context, or the context alone. */
export type SdkCallback<R> = (...given: never[]) => Awaitable<R>;

/** What stands behind such a callback: the same, with a context of ours. */
export type SdkHandler<C extends SdkCallback<R>, R, X> =
  Parameters<C> extends [...infer A, ServerContext] ? (...given: [...A, X]) => Awaitable<R> : never;

/**
 * Gives one tool of the official SDK an `McpToolContext`, with the SDK's context as `ctx.sdk`. What it returns
 * goes out as it did before; a tool without `inputSchema` is called with the context alone.
 *
 * ```ts
 * server.registerTool("import", { inputSchema }, withToolContext(async ({ rows }, ctx) => { … }));
 * ```
 */
export function withToolContext<C extends SdkCallback<ToolReturn> = (ctx: ServerContext) => Promise<ToolReturn>>(
  handler: SdkHandler<C, ToolReturn, SdkToolContext>,
  options?: ContextOptions,
): C;
/** Away from `registerTool` the arguments are annotated. */
export function withToolContext<A>(
  handler: (args: A, ctx: SdkToolContext) => Awaitable<ToolReturn>,
  options?: ContextOptions,
): (args: A, ctx: ServerContext) => Promise<ToolReturn>;
export function withToolContext(
  handler: AnyHandler<ToolReturn>,
  options: ContextOptions = {},
): (...given: never[]) => Promise<ToolReturn> {
  return wrap(toolKind, handler, options);
}

/** The same for a prompt: `server.registerPrompt(name, { argsSchema }, withPromptContext(async (args, ctx) => …))`. */
export function withPromptContext<C extends SdkCallback<PromptReturn> = (ctx: ServerContext) => Promise<PromptReturn>>(
  handler: SdkHandler<C, PromptReturn, SdkPromptContext>,
  options?: ContextOptions,
): C;
/** Away from `registerPrompt` the arguments are annotated. */
export function withPromptContext<A>(
  handler: (args: A, ctx: SdkPromptContext) => Awaitable<PromptReturn>,
  options?: ContextOptions,
): (args: A, ctx: ServerContext) => Promise<PromptReturn>;
export function withPromptContext(
  handler: AnyHandler<PromptReturn>,
  options: ContextOptions = {},
): (...given: never[]) => Promise<PromptReturn> {
  return wrap(promptKind, handler, options);
}

/** The same for a resource or a template: `(uri, ctx)` or `(uri, variables, ctx)`. */
export function withResourceContext<
  C extends SdkCallback<ResourceReturn> = (uri: URL, ctx: ServerContext) => Promise<ResourceReturn>,
>(handler: SdkHandler<C, ResourceReturn, SdkResourceContext>, options?: Omit<ContextOptions, "name">): C;
export function withResourceContext(
  handler: AnyHandler<ResourceReturn>,
  options: ContextOptions = {},
): (...given: never[]) => Promise<ResourceReturn> {
  return wrap(resourceKind, handler, options);
}
