import { asyncScheduler, type SchedulerLike } from "rxjs";
import { type Cadence, checkCadence, checkDelay, defaultCadence } from "../events/index.ts";
import {
  aeadCodec,
  createNonceStore,
  type NonceStore,
  randomCodec,
  type StateCodec,
  type StateKey,
} from "../mrtr/index.ts";
import { type CacheHint, checkCacheHint } from "./cache.ts";
import { checkCount } from "./check.ts";
import { checkLimits, type Limits } from "./limits.ts";

export interface ServerOptions extends Pick<Limits, "timeoutMs" | "cadence">, CacheHint {
  /** Where time comes from: `VirtualTimeScheduler` or `TestScheduler` in tests. @default RxJS's asyncScheduler */
  readonly scheduler?: SchedulerLike | undefined;
  /** Hides what tools throw from the model, but for `ToolError`. @default false */
  readonly maskErrors?: boolean | undefined;
  /** How many items a list shows at once. @default 100 */
  readonly pageSize?: number | undefined;
  /** How the answers and memos of a call are sealed between its rounds. */
  readonly requestState?: RequestStateOptions | undefined;
  /** How long `close()` lets requests in flight run on, in milliseconds. @default 5000 */
  readonly closeGraceMs?: number | undefined;
}

export interface RequestStateOptions {
  /**
   * The first key seals, all keys open. Every process that serves the same clients needs the same keys.
   * @default a random key: no other process, and no later run of this one, can go on with a call
   */
  readonly keys?: readonly StateKey[] | undefined;
  /** How long a client may take to answer, in milliseconds. @default 1_800_000 */
  readonly ttlMs?: number | undefined;
  /** Where `singleUse` tools look up which states were redeemed. @default the memory of this process */
  readonly nonces?: NonceStore | undefined;
}

/** How states are sealed, with the defaults. */
export interface StateSettings {
  readonly codec: StateCodec;
  readonly ttlMs: number;
  readonly nonces: NonceStore;
  /** Nobody configured a key. */
  readonly hasRandomKey: boolean;
  readonly now: () => number;
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
  readonly state: StateSettings;
}

/** @throws RangeError or TypeError for an option that makes no sense. */
export function readOptions(options: ServerOptions): Settings {
  const { cadence = defaultCadence, scheduler, maskErrors = false, pageSize = 100, closeGraceMs = 5_000 } = options;
  const { timeoutMs, ttlMs = 0, cacheScope = "private" } = options;
  checkLimits({ timeoutMs, cadence: checkCadence(cadence) });
  checkCacheHint({ ttlMs, cacheScope });
  checkCount("pageSize", pageSize);
  checkDelay("closeGraceMs", closeGraceMs, { mayBeZero: true });
  const cache = { ttlMs, cacheScope };
  const state = readState(options.requestState ?? {}, () => (scheduler ?? asyncScheduler).now());
  return { cadence, scheduler, maskErrors, pageSize, closeGraceMs, timeoutMs, cache, state };
}

/** @throws RangeError or TypeError for an option that makes no sense. */
export function readState({ keys, ttlMs = 1_800_000, nonces }: RequestStateOptions, now: () => number): StateSettings {
  checkCount("requestState.ttlMs", ttlMs);
  const codec = keys === undefined ? randomCodec() : aeadCodec(keys);
  return { codec, ttlMs, nonces: nonces ?? createNonceStore(now), hasRandomKey: keys === undefined, now };
}
