import { type Cadence, type ClientCapabilities, checkCadence, maxTimerMs } from "../events/index.ts";

/** Checks a delay where it is configured. */
export function checkDelay(name: string, value: number | undefined, minimum: number): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || value < minimum || value > maxTimerMs) {
    throw new RangeError(`Expected \`${name}\` to be an integer from ${minimum} to ${maxTimerMs}, got ${value}`);
  }
}

export function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`Expected \`${name}\` to be an integer of at least 1, got ${value}`);
  }
}

export function checkText(name: string, value: unknown): void {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`Expected \`${name}\` to be a string that is not empty, got ${describe(value)}`);
  }
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`Expected \`${name}\` to be a function, got ${describe(value)}`);
}

/** How long a client may keep a result, and for whom. MCP 2026-07-28, server/utilities/caching. */
export interface CacheHint {
  /** Milliseconds. @default 0 */
  readonly ttlMs?: number | undefined;
  /** `"public"`: the same for every caller. @default "private" */
  readonly cacheScope?: "public" | "private" | undefined;
}

export function checkCacheHint({ ttlMs, cacheScope }: CacheHint): void {
  if (ttlMs !== undefined && (!Number.isSafeInteger(ttlMs) || ttlMs < 0)) {
    throw new RangeError(`Expected \`ttlMs\` to be an integer of at least 0, got ${ttlMs}`);
  }
  if (cacheScope !== undefined && cacheScope !== "public" && cacheScope !== "private") {
    throw new TypeError(`Expected \`cacheScope\` to be "public" or "private", got ${describe(cacheScope)}`);
  }
}

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
  checkDelay("timeoutMs", timeoutMs, 1);
  if (cadence !== undefined) checkCadence(cadence);
}

export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Leaves out the keys that have no value: optional is not nullable on the wire. */
export function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
