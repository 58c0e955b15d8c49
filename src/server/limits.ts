import { describeGiven } from "../errors.ts";
import { type Cadence, type ClientCapabilities, checkCadence, checkDelay } from "../events/index.ts";
import { isObject } from "../wire/index.ts";

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

export function checkLimits({ requires, timeoutMs, cadence }: Limits): void {
  if (requires !== undefined) checkRequires(requires);
  if (timeoutMs !== undefined) checkDelay("timeoutMs", timeoutMs);
  if (cadence !== undefined) checkCadence(cadence);
}

/** A capability that no client knows would let everybody through. MCP 2026-07-28, schema, `ClientCapabilities`. */
const capabilities = ["elicitation", "sampling", "roots", "experimental", "extensions"];

function checkRequires(requires: unknown): void {
  if (!isObject(requires)) {
    throw new TypeError(`Expected \`requires\` to be an object of capabilities, got ${describeGiven(requires)}`);
  }
  for (const [name, value] of Object.entries(requires)) {
    if (!capabilities.includes(name)) {
      throw new TypeError(`Expected \`requires\` to name ${capabilities.join(", ")}, got ${describeGiven(name)}`);
    }
    if (value !== undefined && !isObject(value)) {
      throw new TypeError(`Expected \`requires.${name}\` to be an object, such as {}, got ${describeGiven(value)}`);
    }
  }
}
