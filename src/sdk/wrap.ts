import type { ServerContext } from "@modelcontextprotocol/server";
import { attempt, describeGiven } from "../errors.ts";
import { type Awaitable, createMcpServer, type ServerDefinition } from "../server/index.ts";
import { carry } from "./carry.ts";
import type { ContextOptions } from "./context.ts";
import { keysOf } from "./keys.ts";
import type { Kind } from "./kind.ts";
import { contextDiagnostics } from "./told.ts";
import { WrappedCall } from "./wrapped-call.ts";

/** A handler of the SDK: what it is given, and its context last. */
export type AnyHandler<R> = (...given: never[]) => Awaitable<R>;

/** Gives a handler a context of ours, with the SDK's as `sdk`. */
export function wrap<R>(
  { method, define, params }: Kind,
  handler: AnyHandler<R>,
  { name, server, principal, requestState = {}, ...rest }: ContextOptions,
): (...given: never[]) => Promise<R> {
  if (typeof handler !== "function") {
    throw new TypeError(`Expected the handler to be a function, got ${describeGiven(handler)}`);
  }
  const { maskErrors = false, scheduler } = rest;
  const settings = { ...rest, requestState: { ...requestState, keys: keysOf(requestState) } };
  const coreOf = (definitions: Partial<ServerDefinition>) =>
    createMcpServer({ name: "wrapped", version: "0", ...definitions }, settings);
  // Options are checked before there is a call.
  coreOf({});
  const hasOwnKey = requestState.keys === undefined;
  const options = {
    server,
    principal,
    scheduler,
    hasOwnKey,
    diagnostics: contextDiagnostics,
    ignoresForeignState: true,
  };
  return async (...all: readonly unknown[]) => {
    const sdk = all.at(-1) as ServerContext;
    const given = all.slice(0, -1);
    const uri = method === "resources/read" ? String(given[0]) : undefined;
    const address = { name: uri ?? name ?? "unnamed", hasName: (uri ?? name) !== undefined };
    const call = new WrappedCall<R>((ctx) => handler(...([...given, Object.assign(ctx, { sdk })] as never[])));
    const bound = address.hasName ? attempt(() => params(given, address)) : undefined;
    const refusal = bound !== undefined ? undefined : address.hasName ? noForm : noName;
    const core = coreOf(define((ctx) => call.run(ctx, refusal), address));
    core.diagnostics.subscribe((diagnostic) => contextDiagnostics.report(diagnostic));
    try {
      return call.end(
        await carry(sdk, method, bound ?? { name: address.name }, { ...options, dispatch: core.dispatch }),
      );
    } catch (error) {
      throw call.isMasking(error, maskErrors) ? call.failure : error;
    }
  };
}

const noName =
  'Expected the options of `withToolContext` or `withPromptContext` to hold the registered `name` for the handler to ask or to run once, got none; write `{ name: "…" }` behind the handler';
const noForm =
  "Expected the arguments to have a JSON form after their schema for the handler to ask or to run once, got some without";
