import { map } from "rxjs";
import type { ConnectOptions } from "../client/index.ts";
import type { ProgressToken, Result } from "../events/index.ts";
import { connectMemory } from "../transports/index.ts";
import { type ErrorBody, encodeEnvelope, latestVersion, printRequest } from "../wire/index.ts";
import type { TestRequest } from "./request.ts";
import { servableOf, type Target } from "./target.ts";

/** One thing that happened, as it crossed the wire. */
export type LifecycleEntry =
  | { readonly type: "token"; readonly progressToken: ProgressToken }
  | { readonly type: "notification"; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly type: "result"; readonly result: Result }
  /** The end of a round: the result holds questions, state, or both. */
  | { readonly type: "input-required"; readonly result: Result }
  | { readonly type: "error"; readonly error: ErrorBody };

/**
 * Runs one request over a connection of its own and records its life in order: the token, if it has one,
 * every notification, and how it ended. A request is one round: a retry is a request of its own, with the
 * `inputResponses` and the `requestState` in its params. Made for `toEqual`:
 *
 * ```ts
 * expect(await recordLifecycle(server, toolCall("import"))).toEqual([
 *   { type: "token", progressToken: "lifecycle" },
 *   { type: "notification", method: "notifications/progress", params: { progressToken: "lifecycle", progress: 1 } },
 *   { type: "result", result: expect.objectContaining({ structuredContent: { rows: 3 } }) },
 * ]);
 * ```
 * Never resolves when the request never ends.
 */
export async function recordLifecycle(
  target: Target,
  { method, params, progressToken = "lifecycle" }: TestRequest,
  { clientInfo, capabilities = {}, principal }: Pick<ConnectOptions, "clientInfo" | "capabilities" | "principal"> = {},
): Promise<readonly LifecycleEntry[]> {
  const token = progressToken === null ? undefined : { progressToken };
  const entries: LifecycleEntry[] = token === undefined ? [] : [{ type: "token", ...token }];
  const _meta = encodeEnvelope({ protocolVersion: latestVersion, clientInfo, capabilities, ...token });
  const connection = connectMemory(servableOf(target), { principal });
  await new Promise<void>((resolve) => {
    connection.messages.pipe(map(readEntry)).subscribe((entry) => {
      // What wrongly follows the end in the same turn is recorded as well.
      entries.push(entry);
      if (entry.type !== "notification") resolve();
    });
    connection.send(printRequest(1, method, { ...params, _meta }));
  });
  connection.close();
  return entries;
}

interface Message {
  readonly method?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: Result;
  readonly error: ErrorBody;
}

function readEntry(text: string): LifecycleEntry {
  const { method, params, result, error }: Message = JSON.parse(text);
  if (method !== undefined) return { type: "notification", method, params };
  if (result === undefined) return { type: "error", error };
  return { type: result.resultType === "input_required" ? "input-required" : "result", result };
}
