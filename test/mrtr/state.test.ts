import { describe, expect, it } from "vitest";
import {
  aeadCodec,
  createNonceStore,
  isSealed,
  newLedger,
  openState,
  type StateCodec,
  sealState,
} from "../../src/mrtr/index.ts";

const binding = { method: "tools/call", target: "t", arguments: {}, principal: undefined };
const plain: StateCodec = { seal: async (text) => text, open: async (token) => token };
const optionsOf = (codec: StateCodec) => ({ codec, binding, ttlMs: 1_000, now: () => 5 });

describe("opening a state", () => {
  it("brings back what was sealed", async () => {
    const ledger = newLedger();
    ledger.answers.set("__proto__", { fingerprint: "f", response: { action: "accept" } });
    ledger.memos.set("nothing", { callers: 1 });
    ledger.memos.set("failed", { callers: 2, error: { name: "E", message: "m" } });
    const sealed = { ...ledger, open: new Map([["a", "f"]]), mark: 0.6 };
    for (const codec of [plain, aeadCodec([{ id: "k", secret: new Uint8Array(32) }])]) {
      const opened = await openState(await sealState(sealed, optionsOf(codec)), optionsOf(codec));
      expect(opened).toEqual({ ledger: sealed, nonce: expect.any(String), expiresAt: 1_005 });
    }
  });

  it.each<readonly [string, (token: string) => Promise<string | undefined>]>([
    ["throws", () => Promise.reject(new Error("no key"))],
    ["opens to garbage", async () => "}{"],
    ["opens to nothing", async () => ""],
    ["opens to null", async () => "null"],
    ["opens to another value", async () => "[1]"],
    ["opens to an incomplete state", async (token) => JSON.stringify({ ...JSON.parse(token), nonce: undefined })],
    ["opens to a malformed state", async (token) => JSON.stringify({ ...JSON.parse(token), answers: [["a"]] })],
  ])("whose codec %s is a refusal, not a failure", async (_, open) => {
    const token = await sealState(newLedger(), optionsOf(plain));
    expect(await openState(token, optionsOf(plain))).toBeDefined();
    expect(await openState(token, optionsOf({ ...plain, open }))).toBeUndefined();
  });

  it("that is larger than any that is sealed is not even tried", async () => {
    const tried: number[] = [];
    const open = async ({ length }: string): Promise<undefined> => void tried.push(length);
    const options = optionsOf({ ...plain, open });
    for (const length of [131_072, 131_073, 5_000_000]) {
      expect(await openState("x".repeat(length), options)).toBeUndefined();
      expect(await isSealed("x".repeat(length), binding, options)).toBe(false);
    }
    expect(tried).toEqual([131_072, 131_072]);
  });
});

describe("a sealed text", () => {
  const secret = new Uint8Array(32).fill(7);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  it.each(["", "a", "ab"])("has one form only: no other last character opens %j", async (text) => {
    const codec = aeadCodec([{ id: "k", secret }]);
    const token = await codec.seal(text);
    expect(await codec.open(token)).toBe(text);
    for (const last of alphabet.replace(token.at(-1) ?? "", "")) {
      expect(await codec.open(token.slice(0, -1) + last)).toBeUndefined();
    }
  });

  it("is bound to its key's id, also when another id has the same key", async () => {
    const codec = aeadCodec(["a", "b"].map((id) => ({ id, secret })));
    const token = await codec.seal("text");
    expect(await codec.open(token)).toBe("text");
    expect(await codec.open(token.replace(".a.", ".b."))).toBeUndefined();
  });

  it("is never the same twice", async () => {
    const codec = aeadCodec([{ id: "k", secret }]);
    expect(await codec.seal("text")).not.toBe(await codec.seal("text"));
  });
});

describe("the nonces in memory", () => {
  it("are taken once, until they expire", () => {
    let now = 0;
    const store = createNonceStore(() => now);
    expect([store.claim("a", 10), store.claim("b", 10), store.claim("a", 10)]).toEqual([true, true, false]);
    now = 10;
    expect(store.claim("a", 20)).toBe(true);
  });

  it("are forgotten as new ones come: memory is bounded by what can still be redeemed", () => {
    let now = 0;
    const store = createNonceStore(() => now);
    const names = Array.from({ length: 10_000 }, (_, n) => String(n));
    for (const [n, name] of names.entries()) {
      now = n;
      expect(store.claim(name, n + 100 + (n % 7))).toBe(true);
    }
    now = 0; // With the clock set back, only what is remembered is refused.
    const remembered = names.filter((name) => !store.claim(name, 100));
    expect(remembered.length).toBeLessThan(220);
    expect(remembered.length).toBeGreaterThan(90);
  });
});

it("of a call with null does not open for one whose number JSON cannot carry", async () => {
  const codec = aeadCodec([{ id: "k", secret: new Uint8Array(32) }]);
  const of = (x: unknown) => ({ ...optionsOf(codec), binding: { ...binding, arguments: { x } } });
  const token = await sealState(newLedger(), of(null));
  expect(await openState(token, of(Number.POSITIVE_INFINITY))).toBeUndefined();
  expect(await openState(token, of(null))).toBeDefined();
});
