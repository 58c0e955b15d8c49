import { canonicalJson } from "../events/index.ts";
import { fingerprint } from "./fingerprint.ts";
import { decodeContent, encodeContent, type Ledger, maxLedgerBytes } from "./ledger.ts";

/** Seals what the client carries between two rounds. The client must not be able to read or alter it. */
export interface StateCodec {
  seal(text: string): Promise<string>;
  /** The text that was sealed, or `undefined` for anything that this codec did not seal. */
  open(token: string): Promise<string | undefined>;
}

/** What is known of a request whose params cannot be seen. */
export interface Caller {
  readonly method: string;
  readonly principal: unknown;
}

/** What a state is bound to: it opens only for the same request by the same principal. */
export interface Binding extends Caller {
  /** Tool or prompt name, resource URI. */
  readonly target: string;
  /** The call's arguments; absent ones are `{}`. */
  readonly arguments: unknown;
}

export interface StateOptions {
  readonly codec: StateCodec;
  readonly binding: Binding;
  /** How long a state can be redeemed, in milliseconds. */
  readonly ttlMs: number;
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** A state larger than this is not even looked at, in characters of its sealed form. */
const maxStateLength = 2 * maxLedgerBytes;

/** A state that was opened: its ledger, and what tells it from every other state. */
export interface OpenedState {
  readonly ledger: Ledger;
  readonly nonce: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Seals a ledger for the next round.
 * @throws RangeError that names a key when there is more to carry than a client can be asked to.
 * @throws TypeError for a principal that JSON cannot tell from others.
 */
export async function sealState(ledger: Ledger, { codec, binding, now }: StateOptions): Promise<string> {
  const [caller, bound] = await Promise.all([callerDigest(binding), digest(binding)]);
  return codec.seal(encodeContent({ caller, bound, issuedAt: now(), nonce: crypto.randomUUID(), ledger }));
}

/** Opens what the client sent; `undefined`, without a reason, for whatever is not a valid state of this request. */
export async function openState(token: unknown, options: StateOptions): Promise<OpenedState | undefined> {
  if (typeof token !== "string" || token.length > maxStateLength) return undefined;
  try {
    return await open(token, options);
  } catch {
    // A codec that fails, or a request that nothing can be bound to: either way there is no valid state.
    return undefined;
  }
}

/**
 * Whether a codec sealed this state for this caller, and its time is not over. Says nothing about target and
 * arguments: `openState` does.
 */
export async function isSealed(
  token: string,
  caller: Caller,
  { codec, ttlMs, now }: Omit<StateOptions, "binding">,
): Promise<boolean> {
  if (token.length > maxStateLength) return false;
  try {
    const content = decodeContent(await codec.open(token));
    if (content === undefined || content.caller !== (await callerDigest(caller))) return false;
    return now() < content.issuedAt + ttlMs;
  } catch {
    return false;
  }
}

async function open(token: string, { codec, binding, ttlMs, now }: StateOptions): Promise<OpenedState | undefined> {
  const content = decodeContent(await codec.open(token));
  if (content === undefined || content.bound !== (await digest(binding))) return undefined;
  const { issuedAt, nonce, ledger } = content;
  const expiresAt = issuedAt + ttlMs;
  return now() < expiresAt ? { ledger, nonce, expiresAt } : undefined;
}

function callerDigest({ method, principal }: Caller): Promise<string> {
  return fingerprint(JSON.stringify([method, canonicalJson(principal)]));
}

function digest({ method, target, arguments: args, principal }: Binding): Promise<string> {
  return fingerprint(JSON.stringify([method, target, canonicalJson(args ?? {}), canonicalJson(principal)]));
}
