import { type Cadence, type ClientCapabilities, checkCadence, checkDelay } from "../events/index.ts";

/** What every handler may be limited by. */
export interface Limits {
  /**
   * What the client must be able to do, such as `{ elicitation: { form: {} } }`. A client that has not
   * declared it gets -32021 before the handler runs; in the legacy era a tool's result with `isError`, or
   * -32603. MCP 2026-07-28, basic/index, `_meta`.
   */
  readonly requires?: ClientCapabilities | undefined;
  /** A hard deadline in milliseconds; waiting for an answer does not count. @default the server's */
  readonly timeoutMs?: number | undefined;
  /** How often updates go out. @default the server's */
  readonly cadence?: Cadence | undefined;
}

export function checkLimits({ timeoutMs, cadence }: Limits): void {
  if (timeoutMs !== undefined) checkDelay("timeoutMs", timeoutMs);
  if (cadence !== undefined) checkCadence(cadence);
}
