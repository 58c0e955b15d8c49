import { z } from "zod";

/** What a run-once block came to: its JSON value, nothing, or its error; and how many callers shared it. */
export interface Memo {
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string } | undefined;
  readonly callers: number;
}

/** An answer that was taken, with the fingerprint of the question that it answers. */
interface Answered {
  readonly fingerprint: string;
  readonly response: unknown;
}

/** Answers and memos that are carried from round to round inside `requestState`. */
export interface Ledger {
  readonly callId: string;
  readonly answers: Map<string, Answered>;
  readonly memos: Map<string, Memo>;
  /** Fingerprints of the questions that the last round left open; `undefined` before the first round ended. */
  readonly open: ReadonlyMap<string, string> | undefined;
  /** The largest value that the client has been told for this logical call. */
  readonly mark: number | undefined;
}

/** What a state says: its ledger, when it was made, for whom and which request, and what tells it from all others. */
export interface Content {
  /** Fingerprint of what is known of a request without its params. */
  readonly caller: string;
  /** Fingerprint of the whole request. */
  readonly bound: string;
  /** In milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly nonce: string;
  readonly ledger: Ledger;
}

/** How much a call may carry from round to round. */
export const maxLedgerBytes = 65_536;

/** The ledger of a call's first round. */
export function newLedger(): Ledger {
  return { callId: crypto.randomUUID(), answers: new Map(), memos: new Map(), open: undefined, mark: undefined };
}

const pairs = <T extends z.ZodType>(value: T) => z.array(z.tuple([z.string(), value]));
const contentSchema = z.object({
  caller: z.string(),
  bound: z.string(),
  issuedAt: z.number(),
  nonce: z.string(),
  callId: z.string(),
  answers: pairs(z.object({ fingerprint: z.string(), response: z.unknown() })),
  memos: pairs(
    z.object({
      value: z.unknown().optional(),
      error: z.object({ name: z.string(), message: z.string() }).optional(),
      callers: z.number(),
    }),
  ),
  open: pairs(z.string()),
  mark: z.number().optional(),
});

/**
 * Prints what is to be sealed. Entries are pairs, so that no key can be mistaken for a property.
 * @throws RangeError that names the key which takes the most when it is too much.
 */
export function encodeContent({ ledger, ...rest }: Content): string {
  const { callId, answers, memos, open = new Map(), mark } = ledger;
  const text = JSON.stringify({
    ...rest,
    callId,
    answers: [...answers],
    memos: [...memos],
    open: [...open],
    mark,
  });
  if (bytesOf(text) <= maxLedgerBytes) return text;
  throw new RangeError(
    `Expected the answers and memos of a call to take at most ${maxLedgerBytes} bytes, got ${bytesOf(text)}, most of them for key ${JSON.stringify(largestOf([...memos, ...answers, ...open]))}`,
  );
}

/** `undefined` for whatever `encodeContent` did not print. */
export function decodeContent(text: string | undefined): Content | undefined {
  if (text === undefined) return undefined;
  const checked = contentSchema.safeParse(JSON.parse(text));
  if (!checked.success) return undefined;
  const { caller, bound, issuedAt, nonce, callId, answers, memos, open, mark } = checked.data;
  const ledger = { callId, answers: new Map(answers), memos: new Map(memos), open: new Map(open), mark };
  return { caller, bound, issuedAt, nonce, ledger };
}

function largestOf(entries: readonly (readonly [string, unknown])[]): string {
  const sizes = entries.map((entry) => ({ key: entry[0], bytes: bytesOf(JSON.stringify(entry)) }));
  return sizes.reduce((most, each) => (each.bytes > most.bytes ? each : most), { key: "", bytes: 0 }).key;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
