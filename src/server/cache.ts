import { describeGiven } from "../errors.ts";

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
    throw new TypeError(`Expected \`cacheScope\` to be "public" or "private", got ${describeGiven(cacheScope)}`);
  }
}
