import type { ServerContext } from "@modelcontextprotocol/server";
import { hasSealedForm, isSealed } from "../mrtr/index.ts";
import { type RequestStateOptions, readState } from "../server/index.ts";
import { keysOf } from "./keys.ts";

/** What `ServerOptions.requestState.verify` of the official SDK takes. */
export type VerifyRequestState = (state: string, ctx: ServerContext) => unknown;

/**
 * A hook for `ServerOptions.requestState.verify`, so that a state which was altered, sealed with a foreign
 * key or is too old gets a JSON-RPC error: whatever a tool throws later becomes a result. States of other
 * origin go to `own`; without it they are refused.
 * @throws RangeError for keys or a `ttlMs` that cannot be.
 */
export function verifyRequestState(options: RequestStateOptions = {}, own?: VerifyRequestState): VerifyRequestState {
  return hookOf(options, own, Date.now);
}

/** The hook that tells the time by a clock: that of the server which seals. */
export function hookOf(
  options: RequestStateOptions,
  own: VerifyRequestState | undefined,
  now: () => number,
): VerifyRequestState {
  const settings = readState({ ...options, keys: keysOf(options) }, now);
  return async (state, ctx) => {
    // Nothing is returned, so that `ctx.mcpReq.requestState()` stays the state itself.
    if (await isSealed(state, settings)) return undefined;
    if (own !== undefined && !hasSealedForm(state)) return own(state, ctx);
    throw new Error("Expected `requestState` to be sealed with a known key, and in time");
  };
}
