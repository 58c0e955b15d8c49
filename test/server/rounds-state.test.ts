import {
  definePrompt,
  defineResource,
  defineTool,
  type Exchange,
  type McpElicitor,
  type NonceStore,
  type RequestStateOptions,
} from "mcp-headway";
import { VirtualTimeScheduler } from "rxjs";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { able, accept, answer, askedOf, asking, consent, key, messagesOf, named, textOf } from "./asking.ts";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const refused = { code: -32602, message: "Invalid params: requestState or inputResponses" };
const minutes = (count: number) => count * 60_000;

/** A server that asks once; and how often its handler ran. */
function askingOnce(state: RequestStateOptions = { keys: [key] }, singleUse = false) {
  const scheduler = new VirtualTimeScheduler();
  const run = vi.fn();
  const made = asking(
    async (ctx) => {
      run();
      return (await ctx.elicit("A?", consent, { key: "a" })).action;
    },
    { singleUse },
    { requestState: state, scheduler },
  );
  return { ...made, run, scheduler };
}

/** Moves virtual time, in which nothing else is planned. */
function pass(scheduler: VirtualTimeScheduler, delayMs: number): void {
  scheduler.schedule(() => undefined, delayMs);
  scheduler.flush();
}

describe("a requestState is refused before the handler runs when", () => {
  const flipped = (text: string, at: number) => {
    const next = text[at] === "A" ? "B" : "A";
    return text.slice(0, at) + next + text.slice(at + 1);
  };

  it.each(["version", "dot", "key id", "nonce", "text", "tag", "last"])(
    "one character is flipped: %s",
    async (where) => {
      const { call, run } = askingOnce();
      const retry = answer(await call());
      const [version = "", id = "", nonce = ""] = retry.requestState.split(".");
      const nonceAt = version.length + id.length + 2;
      const at = {
        version: 0,
        dot: version.length,
        "key id": version.length + 1,
        nonce: nonceAt + 3,
        text: nonceAt + nonce.length + 5,
        tag: retry.requestState.length - 9,
        last: retry.requestState.length - 1,
      }[where];
      const requestState = flipped(retry.requestState, at ?? -1);
      expect(requestState).not.toBe(retry.requestState);
      expect(errorOf(await call({ ...retry, requestState }))).toEqual(refused);
      expect(run).toHaveBeenCalledTimes(1);
      expect(textOf(await call(retry))).toBe("accept");
    },
  );

  it.each<readonly [string, (state: string) => unknown]>([
    ["is cut short", (state) => state.slice(0, -1)],
    ["has something behind it", (state) => `${state}A`],
    ["has a part too many", (state) => `${state}.AAAA`],
    ["is padded", (state) => `${state}=`],
    ["is empty", () => ""],
    ["is no state at all", () => "hello"],
    ["is dots", () => "...."],
    ["is a number", () => 123],
    ["is null", () => null],
    ["is an object", (state) => ({ state })],
    ["is over the size limit", (state) => state + "A".repeat(5_000_000)],
  ])("it %s", async (_, change) => {
    const { call, run, told } = askingOnce();
    const retry = answer(await call());
    expect(errorOf(await call({ ...retry, requestState: change(retry.requestState) }))).toEqual(refused);
    expect(run).toHaveBeenCalledTimes(1);
    expect(textOf(await call(retry))).toBe("accept");
    expect(told()).toEqual([]);
  });

  it("a foreign key sealed it, also under the same id", async () => {
    const { call, run } = askingOnce();
    const retry = answer(await call());
    for (const foreign of [
      { ...key, secret: new Uint8Array(32).fill(2) },
      { ...key, id: "k2" },
    ]) {
      const other = askingOnce({ keys: [foreign] });
      expect(errorOf(await other.call(retry))).toEqual(refused);
      expect(other.run).not.toHaveBeenCalled();
    }
    expect(textOf(await call(retry))).toBe("accept");
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("it has expired, by default after 30 minutes; ten are fine", async () => {
    const { call, run, scheduler } = askingOnce();
    const retry = answer(await call());
    pass(scheduler, minutes(10));
    expect(textOf(await call(retry))).toBe("accept");
    pass(scheduler, minutes(20) - 1);
    expect(textOf(await call(retry))).toBe("accept");
    pass(scheduler, 1);
    expect(errorOf(await call(retry))).toEqual(refused);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it("it has outlived the time that was configured, which each round begins anew", async () => {
    const scheduler = new VirtualTimeScheduler();
    const { call } = asking(
      async (ctx) => {
        for (const message of ["A?", "B?"]) await ctx.elicit(message, consent);
        return "done";
      },
      {},
      { requestState: { keys: [key], ttlMs: 1_000 }, scheduler },
    );
    const first = await call();
    pass(scheduler, 999);
    const second = await call(answer(first));
    pass(scheduler, 999);
    expect(errorOf(await call(answer(first)))).toEqual(refused);
    expect(textOf(await call(answer(second)))).toBe("done");
  });

  it("it belongs to other arguments; absent ones are {}, and order does not matter", async () => {
    const { call, run } = askingOnce();
    const none = answer(await call());
    expect(textOf(await call({ ...none, arguments: {} }))).toBe("accept");
    const some = answer(await call({ arguments: { a: 1, b: { c: 2, d: [3, 4] } } }));
    expect(textOf(await call({ ...some, arguments: { b: { d: [3, 4], c: 2 }, a: 1 } }))).toBe("accept");
    const before = run.mock.calls.length;
    for (const args of [{ a: 1, b: { c: 2, d: [4, 3] } }, { a: "1", b: { c: 2, d: [3, 4] } }, { a: 1 }, {}]) {
      expect(errorOf(await call({ ...some, arguments: args }))).toEqual(refused);
    }
    expect(errorOf(await call({ ...none, arguments: JSON.parse('{"__proto__": 1}') }))).toEqual(refused);
    expect(run).toHaveBeenCalledTimes(before);
  });

  it("another principal presents it", async () => {
    const { call, run } = askingOnce();
    const as = (principal: unknown): Partial<Exchange> => ({ ...able, principal });
    const retry = answer(await call({}, as({ sub: "ann", roles: ["a"] })));
    for (const other of [{ sub: "bob", roles: ["a"] }, "ann", undefined, new Map([["sub", "ann"]])]) {
      expect(errorOf(await call(retry, as(other)))).toEqual(refused);
    }
    expect(run).toHaveBeenCalledTimes(1);
    expect(textOf(await call(retry, as({ roles: ["a"], sub: "ann" })))).toBe("accept");
  });

  it("another tool, another method or another resource is called", async () => {
    const handler = async (_: object, ctx: McpElicitor) => (await ctx.elicit("A?", consent)).action;
    const loose = z.looseObject({});
    const tools = ["t", "u"].map((name) => defineTool({ name, description: "d", inputSchema: loose, handler }));
    const prompts = [definePrompt({ name: "t", handler })];
    const resources = ["a:t", "a:u"].map((uri) =>
      defineResource({ uri, name: uri, read: async (_uri, _v, ctx) => (await ctx.elicit("A?", consent)).action }),
    );
    const { server } = serverOf({ tools, prompts, resources }, { requestState: { keys: [key] } });
    const requests = [
      ["tools/call", { name: "t" }],
      ["tools/call", { name: "u" }],
      ["prompts/get", { name: "t" }],
      ["resources/read", { uri: "a:t" }],
      ["resources/read", { uri: "a:u" }],
    ] as const;
    for (const [method, params] of requests) {
      const retry = answer(await ask(server, method, params, able));
      for (const [otherMethod, other] of requests) {
        const event = await ask(server, otherMethod, { ...other, ...retry }, able);
        if (other === params) resultOf(event);
        else expect(errorOf(event)).toEqual(refused);
      }
    }
  });

  it.each<readonly [string, unknown]>([
    ["null", null],
    ["an array", []],
    ["a text", "a"],
    ["a number", 5],
    ["true", true],
  ])("inputResponses is no object but %s", async (_, inputResponses) => {
    const { call, run } = askingOnce();
    const retry = answer(await call());
    expect(errorOf(await call({ ...retry, inputResponses }))).toEqual(refused);
    expect(errorOf(await call({ inputResponses }))).toEqual(refused);
    expect(run).toHaveBeenCalledTimes(1);
    expect(textOf(await call(retry))).toBe("accept");
  });
});

describe("a requestState", () => {
  it("tells the client nothing", async () => {
    const { call } = asking(async (ctx) => {
      await ctx.once("secret-key", () => "secret-value");
      await ctx.elicit("A?", consent);
    });
    const { requestState } = askedOf(await call());
    const readable = requestState.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect([requestState, ...readable].join()).not.toMatch(/secret|callId|fingerprint/);
    expect(askedOf(await call()).requestState).not.toBe(requestState);
  });

  it("survives the rotation of keys without downtime", async () => {
    const fresh = { id: "k2", secret: new Uint8Array(32).fill(2) };
    const before = askingOnce({ keys: [key] });
    const during = askingOnce({ keys: [fresh, key] });
    const after = askingOnce({ keys: [fresh] });
    const old = answer(await before.call());
    expect(textOf(await during.call(old))).toBe("accept");
    const renewed = answer(await during.call());
    expect(textOf(await after.call(renewed))).toBe("accept");
    expect(errorOf(await before.call(renewed))).toEqual(refused);
    expect(errorOf(await after.call(old))).toEqual(refused);
  });

  it("is sealed with a copy of the key's bytes", async () => {
    const secret = new Uint8Array(32).fill(1);
    const { call } = askingOnce({ keys: [{ id: "k1", secret }] });
    // A key is imported when the first state is sealed; by then its owner may have wiped it.
    secret.fill(0);
    const retry = answer(await call());
    expect(textOf(await call(retry))).toBe("accept");
    expect(textOf(await askingOnce().call(retry))).toBe("accept");
    const wiped = askingOnce({ keys: [{ id: "k1", secret }] });
    expect(errorOf(await wiped.call(retry))).toEqual(refused);
  });

  it("of a server without keys is known to that server only, and one diagnostic says what breaks", async () => {
    const { call, told, diagnostics } = askingOnce({});
    const retry = answer(await call());
    expect(textOf(await call(retry))).toBe("accept");
    await call();
    expect(told()).toEqual(["random-key"]);
    expect(diagnostics[0]?.message).toMatch(/restart/);
    expect(errorOf(await askingOnce({}).call(retry))).toEqual(refused);
  });

  it.each<readonly [string, RequestStateOptions, RegExp]>([
    ["no keys", { keys: [] }, /at least one key/],
    ["a short secret", { keys: [{ id: "a", secret: new Uint8Array(16) }] }, /32 bytes/],
    ["a secret that is a text", { keys: [{ id: "a", secret: "x".repeat(32) as never }] }, /32 bytes/],
    ["an id with a dot", { keys: [{ ...key, id: "a.b" }] }, /letters/],
    ["an id used twice", { keys: [key, key] }, /twice/],
    ["no time to live", { ttlMs: 0 }, /ttlMs/],
  ])("cannot be configured with %s", (_, requestState, message) => {
    expect(() => serverOf({}, { requestState: { keys: [key] } })).not.toThrow();
    expect(() => serverOf({}, { requestState })).toThrow(message);
  });

  it("that would carry more than 64 KiB fails the call, naming the key", async () => {
    const carrying = (length: number) =>
      asking(async (ctx) => {
        await ctx.once("small", () => "x");
        await ctx.once("big", () => "é".repeat(length / 2));
        await ctx.elicit("A?", consent);
        return "done";
      });
    const { call } = carrying(60_000);
    expect(textOf(await call(answer(await call())))).toBe("done");
    expect(textOf(await carrying(70_000).call())).toMatch(/65536 bytes.*"big"/);
  });

  it("is not needed for the last answer, however large it is", async () => {
    const { call } = asking(async (ctx) => {
      const name = (await ctx.elicit("A?", named, { key: "name" })).content?.name ?? "";
      if (name.length < 200_000) await ctx.elicit("B?", consent);
      return name.length;
    });
    const round = await call();
    expect(textOf(await call(answer(round, accept({ name: "x".repeat(200_000) }))))).toBe("200000");
    expect(textOf(await call(answer(round, accept({ name: "x".repeat(100_000) }))))).toMatch(/bytes.*"name"/);
  });

  it.each([
    ["a Map", new Map([["sub", "ann"]])],
    ["a Set within", { user: new Set(["ann"]) }],
    ["a function", () => "ann"],
    ["a symbol", Symbol("ann")],
    ["a bigint", 1n],
    [
      "an object with private fields",
      new (class {
        readonly #sub = "ann";
        get sub() {
          return this.#sub;
        }
      })(),
    ],
  ])("cannot be bound to a principal that JSON cannot tell from others: %s", async (_, principal) => {
    const { call } = askingOnce();
    expect(resultOf(await call({}, { ...able, principal }))).toMatchObject({ isError: true });
    class User {
      readonly sub = "ann";
    }
    const as = { ...able, principal: new User() };
    expect(textOf(await call(answer(await call({}, as)), as))).toBe("accept");
  });
});

describe("a tool for single use", () => {
  it("takes a state once, and another tool takes it again", async () => {
    const once = askingOnce({ keys: [key] }, true);
    const retry = answer(await once.call());
    expect(textOf(await once.call(retry))).toBe("accept");
    expect(errorOf(await once.call(retry))).toEqual(refused);
    expect(once.run).toHaveBeenCalledTimes(2);
    const often = askingOnce();
    const again = answer(await often.call());
    for (let n = 0; n < 2; n += 1) expect(textOf(await often.call(again))).toBe("accept");
  });

  it("takes one of two retries that come at once", async () => {
    const { call } = askingOnce({ keys: [key] }, true);
    const retry = answer(await call());
    const events = await Promise.all([call(retry), call(retry)]);
    expect(events.map(({ type }) => type).sort()).toEqual(["error", "result"]);
  });

  it("does not use up a state that it refuses for another reason", async () => {
    const { call } = askingOnce({ keys: [key] }, true);
    const retry = answer(await call());
    expect(errorOf(await call({ ...retry, arguments: { a: 1 } }))).toEqual(refused);
    expect(errorOf(await call({ ...retry, inputResponses: [] }))).toEqual(refused);
    expect(textOf(await call(retry))).toBe("accept");
  });

  it("asks the store that it was given, with the time of expiry", async () => {
    const nonces = { claim: vi.fn<NonceStore["claim"]>(async () => true) };
    const { call } = askingOnce({ keys: [key], nonces }, true);
    const retry = answer(await call());
    for (let n = 0; n < 2; n += 1) expect(textOf(await call(retry))).toBe("accept");
    const [first, second] = nonces.claim.mock.calls;
    expect(first?.[0]).toBe(second?.[0]);
    expect(nonces.claim).toHaveBeenLastCalledWith(expect.any(String), minutes(30));
    nonces.claim.mockResolvedValue(false);
    expect(errorOf(await call(retry))).toEqual(refused);
  });

  it("lets nothing pass while its store fails, and tells only the developer", async () => {
    const nonces = { claim: () => Promise.reject(new Error("secret host")) };
    const { call, run, diagnostics } = askingOnce({ keys: [key], nonces }, true);
    const event = await call(answer(await call()));
    expect(errorOf(event)).toEqual({ code: -32603, message: "Internal error" });
    expect(diagnostics).toEqual([
      expect.objectContaining({ message: "The nonce store failed", cause: new Error("secret host") }),
    ]);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

it("minutes of thinking are no part of a call's deadline", async () => {
  const scheduler = new VirtualTimeScheduler();
  const { call } = asking(
    async (ctx) => (await ctx.elicit("A?", consent)).action,
    { timeoutMs: 1_000 },
    { requestState: { keys: [key] }, scheduler },
  );
  const round = await call();
  expect(messagesOf(round)).toEqual(["A?"]);
  expect(scheduler.actions.filter(({ closed }) => !closed)).toEqual([]);
  pass(scheduler, minutes(10));
  expect(textOf(await call(answer(round)))).toBe("accept");
});
