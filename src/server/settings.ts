import type { SchedulerLike } from "rxjs";
import { type Cadence, checkCadence, defaultCadence } from "../events/index.ts";
import { type CacheHint, checkCacheHint, checkCount, checkDelay, checkLimits, type Limits } from "./check.ts";

export interface ServerOptions extends Limits, CacheHint {
  /** Where time comes from: `VirtualTimeScheduler` or `TestScheduler` in tests. @default RxJS's asyncScheduler */
  readonly scheduler?: SchedulerLike | undefined;
  /** Hides what tools throw from the model, but for `ToolError`. @default false */
  readonly maskErrors?: boolean | undefined;
  /** How many items a list shows at once. @default 100 */
  readonly pageSize?: number | undefined;
  /** How long `close()` lets requests in flight run on, in milliseconds. @default 5000 */
  readonly closeGraceMs?: number | undefined;
}

/** The options with their defaults. */
export interface Settings {
  readonly cadence: Cadence;
  readonly scheduler: SchedulerLike | undefined;
  readonly maskErrors: boolean;
  readonly pageSize: number;
  readonly closeGraceMs: number;
  readonly timeoutMs: number | undefined;
  readonly cache: Required<CacheHint>;
}

/** @throws RangeError or TypeError for an option that makes no sense. */
export function readOptions(options: ServerOptions): Settings {
  const { cadence = defaultCadence, scheduler, maskErrors = false, pageSize = 100, closeGraceMs = 5_000 } = options;
  const { timeoutMs, ttlMs = 0, cacheScope = "private" } = options;
  checkLimits({ timeoutMs, cadence: checkCadence(cadence) });
  checkCacheHint({ ttlMs, cacheScope });
  checkCount("pageSize", pageSize);
  checkDelay("closeGraceMs", closeGraceMs, 0);
  return { cadence, scheduler, maskErrors, pageSize, closeGraceMs, timeoutMs, cache: { ttlMs, cacheScope } };
}
