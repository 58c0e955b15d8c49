import type { ServerContext } from "@modelcontextprotocol/server";
import { aeadCodec, hasSealedForm, isSealed } from "../mrtr/index.ts";
import type { RequestStateOptions } from "../server/index.ts";
import { keysOf } from "./keys.ts";

/** What `ServerOptions.requestState.verify` of the official SDK takes. */
export type VerifyRequestState = (state: string, ctx: ServerContext) => unknown;

/**
 * A hook for `ServerOptions.requestState.verify`, so that a state which was altered, sealed with a foreign
 * key or is too old gets a JSON-RPC error: whatever a tool throws later becomes a result. States of other
 * origin go to `own`; without it they are refused.
 */
export function verifyRequestState(options: RequestStateOptions = {}, own?: VerifyRequestState): VerifyRequestState {
  const { ttlMs = 1_800_000 } = options;
  const settings = { codec: aeadCodec(keysOf(options)), ttlMs, now: Date.now };
  return async (state, ctx) => {
    // Nothing is returned, so that `ctx.mcpReq.requestState()` stays the state itself.
    if (await isSealed(state, settings)) return undefined;
    if (own !== undefined && !hasSealedForm(state)) return own(state, ctx);
    throw new Error("Expected `requestState` to be sealed with a known key, and in time");
  };
}
