import { type Diagnostic, Diagnostics } from "../events/index.ts";
import { madeUpKey } from "../mrtr/index.ts";
import { warnUnheard } from "../transports/index.ts";

/**
 * The diagnostics of all handlers with a context of `withToolContext` and its like. They share one stream, for
 * a factory of servers may wrap a handler anew for each request. While nobody subscribes, the first of each
 * kind is printed as a process warning.
 */
export const contextDiagnostics: Diagnostics = /* @__PURE__ */ heard(/* @__PURE__ */ new Diagnostics());

function heard(diagnostics: Diagnostics): Diagnostics {
  warnUnheard({ diagnostics });
  return diagnostics;
}

const told = new WeakMap<Diagnostics, Set<Diagnostic["type"]>>();

/** Says once that nobody gave a key, and what that means. */
export function reportOwnKey(diagnostics: Diagnostics): void {
  reportOnce(diagnostics, madeUpKey);
}

/** Says once that the hook is missing, by name. */
export function reportMissingHook(diagnostics: Diagnostics): void {
  reportOnce(diagnostics, {
    type: "unverified-state",
    message:
      "A client came back with a state that no hook had verified: give the server `requestState: { verify: mount.verifyRequestState() }`, or without a mount `verifyRequestState({ keys })`. Without it an altered state becomes a result with `isError` instead of -32602",
  });
}

function reportOnce(diagnostics: Diagnostics, diagnostic: Diagnostic): void {
  const types = told.get(diagnostics) ?? new Set();
  told.set(diagnostics, types);
  if (types.has(diagnostic.type)) return;
  types.add(diagnostic.type);
  diagnostics.report(diagnostic);
}
