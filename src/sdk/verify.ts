import type { ServerContext } from "@modelcontextprotocol/server";
import { aeadCodec, hasSealedForm, isSealed } from "../mrtr/index.ts";
import { type RequestStateOptions, readState } from "../server/index.ts";
import { type CallerOptions, principalOf } from "./exchange.ts";
import { keysOf } from "./keys.ts";

/** What `ServerOptions.requestState.verify` of the official SDK takes. */
export type VerifyRequestState = (state: string, ctx: ServerContext) => unknown;

/** As the handlers whose states are verified have them. */
export interface VerifyOptions extends RequestStateOptions, CallerOptions {}

/**
 * A hook for `ServerOptions.requestState.verify`, so that a state which was altered, sealed with a foreign key,
 * is too old, or belongs to another principal or kind of request gets a JSON-RPC error: whatever a tool throws
 * later becomes a result. States of other origin go to `own`, and so does what `own` can tell when it is such a
 * hook, too; without it they are refused.
 * @throws RangeError for keys or a `ttlMs` that cannot be.
 */
export function verifyRequestState(options: VerifyOptions = {}, own?: VerifyRequestState): VerifyRequestState {
  return hookOf(options, own, Date.now);
}

/** All hooks of this kind: what one cannot open may be another's. */
const hooks = new WeakSet<VerifyRequestState>();

/** The requests whose states went through a hook, by their signals: the SDK copies its contexts. */
const verified = new WeakSet<AbortSignal>();

/** Whether the state of a request went through a hook of this kind. */
export function isVerified({ mcpReq }: ServerContext): boolean {
  return verified.has(mcpReq.signal);
}

/** The hook that tells the time by a clock: that of the server which seals. */
export function hookOf(
  { principal, ...options }: VerifyOptions,
  own: VerifyRequestState | undefined,
  now: () => number,
): VerifyRequestState {
  const settings = readState({ ...options, keys: keysOf(options) }, now);
  // What stands beside a mount may have been given no keys.
  const ofProcess = { ...settings, codec: aeadCodec(keysOf({})) };
  const hook: VerifyRequestState = async (state, ctx) => {
    const { method, signal } = ctx.mcpReq;
    verified.add(signal);
    const caller = { method, principal: principalOf(ctx, principal) };
    // Nothing is returned, so that `ctx.mcpReq.requestState()` stays the state itself.
    if ((await isSealed(state, caller, settings)) || (await isSealed(state, caller, ofProcess))) return undefined;
    if (own !== undefined && (hooks.has(own) || !hasSealedForm(state))) return own(state, ctx);
    throw new Error(
      "Expected `requestState` to be sealed with a known key, for this method and principal, and in time",
    );
  };
  hooks.add(hook);
  return hook;
}
