import { isUnanswered, type McpToolContext, ToolError } from "mcp-headway";
import { defer, EMPTY, from, lastValueFrom, map, NEVER, Observable, retry } from "rxjs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { accept, answer, askedOf, asking, consent, messagesOf, named, textOf, turn } from "./asking.ts";
import { errorOf, resultOf } from "./kit.ts";

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);

beforeEach(() => {
  rejections.length = 0;
  process.on("unhandledRejection", onRejection);
});

afterEach(async () => {
  vi.useRealTimers();
  await turn();
  process.off("unhandledRejection", onRejection);
  expect(rejections).toEqual([]);
});

/** Something that takes a while and ends when told to. */
function gate() {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}

/** Lets virtual timers pass once one waits, while what is real, such as hashing, goes on. */
async function pass(delayMs: number) {
  await vi.waitUntil(() => vi.getTimerCount() > 0, { interval: 1 });
  await vi.advanceTimersByTimeAsync(delayMs);
}

function fakeTime() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
}

describe("once", () => {
  it("before, between and after questions: charged once, and what follows the last answer runs once", async () => {
    let [n, m, k, charges] = [0, 0, 0, 0];
    const { call, told } = asking(async (ctx) => {
      n += 1;
      const receipt = await ctx.once("charge", async () => {
        await turn();
        charges += 1;
        return { charge: charges };
      });
      await ctx.elicit("A?", consent);
      m += 1;
      await ctx.elicit("B?", consent);
      k += 1;
      return receipt.charge;
    });
    const second = await call(answer(await call()));
    expect(textOf(await call(answer(second)))).toBe("1");
    expect({ n, m, k, charges }).toEqual({ n: 3, m: 2, k: 1, charges: 1 });
    expect(told()).toEqual([]);
  });

  it.each([
    [
      "started before it",
      (ctx: McpToolContext, run: () => Promise<string>) => [ctx.once("x", run), ctx.elicit("A?", consent)],
    ],
    [
      "started after it",
      (ctx: McpToolContext, run: () => Promise<string>) => [ctx.elicit("A?", consent), ctx.once("x", run)],
    ],
  ])("beside an open question, %s, runs once", async (_, start) => {
    let runs = 0;
    const run = async () => {
      await turn();
      await turn();
      runs += 1;
      return "ran";
    };
    const { call } = asking(async (ctx) => JSON.stringify(await Promise.all(start(ctx, run))));
    expect(textOf(await call(answer(await call())))).toContain('"ran"');
    expect(runs).toBe(1);
  });

  it("that runs beside an open question is waited for before the round is sealed", async () => {
    const { promise, open } = gate();
    let runs = 0;
    const { call, send } = asking(async (ctx) => {
      const run = () => promise.then(() => (runs += 1));
      return JSON.stringify(await Promise.all([ctx.once("x", run), ctx.elicit("A?", consent)]));
    });
    const { end, ended } = send();
    for (let n = 0; n < 20; n += 1) await turn();
    expect(ended()).toBeUndefined();
    open();
    expect(textOf(await call(answer(await end)))).toContain("1");
    expect(runs).toBe(1);
  });

  it("reached after the round was sealed starts nothing and rejects with the signal", async () => {
    const { promise, open } = gate();
    let started = false;
    let caught: unknown;
    const { call } = asking(async (ctx) => {
      promise
        .then(() => ctx.once("late", () => (started = true)))
        .catch((error: unknown) => {
          caught = error;
        });
      await ctx.elicit("A?", consent);
    });
    askedOf(await call());
    open();
    await turn();
    expect([started, isUnanswered(caught)]).toEqual([false, true]);
  });

  it("reached after the call ended, which never asked, starts nothing", async () => {
    let kept: McpToolContext | undefined;
    const { call } = asking((ctx) => {
      kept = ctx;
    });
    resultOf(await call());
    const run = vi.fn();
    await expect(kept?.once("x", run)).rejects.toSatisfy(isUnanswered);
    expect(run).not.toHaveBeenCalled();
  });

  it("after a question whose signal was caught starts nothing until the answer is there", async () => {
    const run = vi.fn(() => "ran");
    const { call, told } = asking(async (ctx) => {
      await ctx.elicit("A?", consent).catch(() => undefined);
      return await ctx.once("x", run);
    });
    const round = await call();
    expect(messagesOf(round)).toEqual(["A?"]);
    expect(run).not.toHaveBeenCalled();
    expect(textOf(await call(answer(round)))).toBe("ran");
    expect(told()).toEqual([]);
  });

  it("that failed fails again on replay, though it would succeed by then", async () => {
    let runs = 0;
    const { call } = asking(async (ctx) => {
      const failure = await ctx
        .once("x", () => {
          runs += 1;
          if (runs === 1) throw new ToolError("declined");
          return "fine";
        })
        .catch((error: Error) => `${error.name}: ${error.message}`);
      await ctx.elicit("A?", consent);
      return failure;
    });
    expect(textOf(await call(answer(await call())))).toBe("ToolError: declined");
    expect(runs).toBe(1);
  });

  it.each([
    ["null", null],
    ["a text", "no"],
    ["what has no text", Object.create(null)],
    [
      "an error whose message throws",
      Object.defineProperty(new Error(), "message", {
        get: () => {
          throw new Error();
        },
      }),
    ],
  ])("that throws %s is remembered as having failed", async (_, thrown) => {
    const run = vi.fn(() => Promise.reject(thrown));
    const { call } = asking(async (ctx) => {
      const outcome = await ctx.once("x", run).then(
        () => "fine",
        () => "failed",
      );
      await ctx.elicit("A?", consent);
      return outcome;
    });
    expect(textOf(await call(answer(await call())))).toBe("failed");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("gives in its first run what it gives on replay: what JSON makes of the value", async () => {
    const seen: unknown[] = [];
    const { call } = asking(async (ctx) => {
      seen.push(
        await ctx.once(
          "data",
          () =>
            new (class Row {
              at = [0, null, "text"];
              gone = undefined;
            })(),
        ),
      );
      seen.push(await ctx.once("nothing", () => undefined), await ctx.once("null", () => null));
      await ctx.elicit("A?", consent);
    });
    resultOf(await call(answer(await call())));
    const each = [{ at: [0, null, "text"] }, undefined, null];
    expect(seen).toEqual([...each, ...each]);
  });

  it.each<readonly [string, () => unknown, RegExp]>([
    ["a function", () => () => 1, /once key "x" to survive JSON/],
    ["a bigint", () => 1n, /once key "x" to survive JSON, got 1n$/],
    ["a Date, which would come back as text", () => ({ rows: [{ at: new Date(0) }] }), /got a Date at rows\[0\].at$/],
    ["a Map, of which nothing would come back", () => new Map([[1, 2]]), /got a Map$/],
    ["bytes, which would come back as an object", () => ({ data: new Uint8Array([1]) }), /got a Uint8Array at data$/],
    [
      "an error, of which its message would be missing",
      () => Object.assign(new Error("x"), { code: 1 }),
      /got a Error$/,
    ],
    [
      "an object that shows nothing of itself",
      () =>
        new (class Secret {
          #it = 1;
          get it() {
            return this.#it;
          }
        })(),
      /got a Secret$/,
    ],
    ["a gap", () => Object.assign([0], { 2: 2 }), /got undefined at \[1\]$/],
    ["no number", () => [1, Number.NaN], /got NaN at \[1\]$/],
    ["a list with a hole", () => [undefined], /got undefined at \[0\]$/],
    [
      "a circle",
      () => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      },
      /once key "x" to survive JSON/,
    ],
  ])("whose value is %s fails", async (_, run, message) => {
    expect(textOf(await asking((ctx) => ctx.once("x", run)).call())).toMatch(message);
  });

  it("in a loop under one key is a TypeError, in the first run and on replay", async () => {
    let rounds = 0;
    const { call } = asking(async (ctx) => {
      rounds += 1;
      await ctx.once("x", () => 1);
      if (rounds === 1) await ctx.elicit("A?", consent);
      await ctx.once("x", () => 2);
    });
    expect(textOf(await call(answer(await call())))).toMatch(/once key.*"x" again/);
    expect(
      textOf(
        await asking(async (ctx) => {
          for (let n = 0; n < 2; n += 1) await ctx.once("x", () => n);
        }).call(),
      ),
    ).toMatch(/once key.*"x" again/);
  });

  it.each([0, 1, 5])(
    "by two callers at once is one run, also on replay, when the second joins %i turns later",
    async (turns) => {
      const run = vi.fn(async () => {
        for (let n = 0; n < 10; n += 1) await turn();
        return "ran";
      });
      const { call, told } = asking(async (ctx) => {
        const late = async () => {
          for (let n = 0; n < turns; n += 1) await turn();
          return ctx.once("x", run);
        };
        const both = await Promise.all([ctx.once("x", run), late()]);
        await ctx.elicit("A?", consent);
        await ctx.elicit("B?", consent);
        return both.join();
      });
      const second = await call(answer(await call()));
      expect(textOf(await call(answer(second)))).toBe("ran,ran");
      expect(run).toHaveBeenCalledTimes(1);
      expect(told()).toEqual([]);
    },
  );

  it("that a second caller joined on a replay is shared from then on", async () => {
    let round = 0;
    const run = vi.fn(() => "ran");
    const { call } = asking(async (ctx) => {
      round += 1;
      const first = ctx.once("x", run);
      if (round === 3) await first;
      const values = round === 1 ? [await first] : await Promise.all([first, ctx.once("x", run)]);
      await ctx.elicit("A?", consent);
      await ctx.elicit("B?", consent);
      return values.join();
    });
    const second = await call(answer(await call()));
    expect(textOf(await call(answer(second)))).toBe("ran,ran");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("may ask: the block runs again with the answer, and then no more", async () => {
    const run = vi.fn();
    const { call } = asking(async (ctx) => {
      const name = await ctx.once("x", async () => {
        run();
        return (await ctx.elicit("Who?", named)).content?.name;
      });
      await ctx.elicit("Sure?", consent);
      return name;
    });
    const second = await call(answer(await call(), accept({ name: "Ann" })));
    expect(messagesOf(second)).toEqual(["Sure?"]);
    expect(textOf(await call(answer(second)))).toBe("Ann");
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("that was called before the handler returned runs, though nobody awaits it", async () => {
    const run = vi.fn();
    const { call } = asking((ctx) => {
      void ctx.once("audit", run);
      return "done";
    });
    expect(textOf(await call())).toBe("done");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("may have the key `__proto__`", async () => {
    const run = vi.fn(() => 1);
    const { call } = asking(async (ctx) => {
      const value = await ctx.once("__proto__", run);
      await ctx.elicit("A?", consent);
      return value;
    });
    expect(textOf(await call(answer(await call())))).toBe("1");
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe("a handler that does not unwind", () => {
  it("but catches the signal and returns does not win: the question does, with a diagnostic", async () => {
    const { call, told } = asking(async (ctx) => {
      const answered = await ctx.elicit("A?", consent).catch(() => undefined);
      return answered?.action ?? "gave up";
    });
    const round = await call();
    expect(messagesOf(round)).toEqual(["A?"]);
    expect(told()).toEqual(["question-open"]);
    expect(textOf(await call(answer(round)))).toBe("accept");
  });

  it("but throws something else does not win either", async () => {
    const { call, told } = asking(async (ctx) => {
      await ctx.elicit("A?", consent).catch((cause: unknown) => {
        throw new Error("wrapped", { cause });
      });
      return "done";
    });
    expect(textOf(await call(answer(await call())))).toBe("done");
    expect(told()).toEqual([]);
  });

  it("and never settles is not waited for beyond a grace", async () => {
    fakeTime();
    const { send } = asking(async (ctx) => {
      await ctx.elicit("A?", consent).catch(() => undefined);
      await new Promise(() => undefined);
    });
    const { end, ended } = send();
    await pass(900);
    expect(ended()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    expect(messagesOf(await end)).toEqual(["A?"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("and never settles is waited for while something runs once, and a moment more", async () => {
    fakeTime();
    const { promise, open } = gate();
    let left = false;
    const { send } = asking(async (ctx) => {
      const run = () => promise.then(() => "ran");
      await Promise.allSettled([ctx.once("x", run), ctx.elicit("A?", consent)]);
      left = true;
      await new Promise(() => undefined);
    });
    const { end, ended } = send();
    for (let n = 0; n < 20; n += 1) await turn();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([ended(), vi.getTimerCount()]).toEqual([undefined, 0]);
    open();
    await pass(1_000);
    expect(messagesOf(await end)).toEqual(["A?"]);
    expect(left).toBe(true);
  });

  it("and is an Observable is unsubscribed after the grace", async () => {
    fakeTime();
    let torn = 0;
    const { send } = asking(
      (ctx) =>
        new Observable((subscriber) => {
          ctx.elicit("A?", consent).catch(() => undefined);
          subscriber.add(NEVER.subscribe());
          return () => {
            torn += 1;
          };
        }),
    );
    const { end } = send();
    await pass(1_000);
    askedOf(await end);
    expect(torn).toBe(1);
  });

  it("leaves no timer when it unwinds in time", async () => {
    fakeTime();
    askedOf(await asking((ctx) => ctx.elicit("A?", consent)).call());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("retry() around a question", () => {
  const asks = (ctx: McpToolContext, key?: string) =>
    defer(() => ctx.elicit("A?", consent, { key })).pipe(map(({ action }) => action));

  it.each([
    ["in an Observable handler", (ctx: McpToolContext) => asks(ctx).pipe(retry())],
    ["under a key", (ctx: McpToolContext) => asks(ctx, "a").pipe(retry())],
    ["of an awaiting handler", (ctx: McpToolContext) => lastValueFrom(asks(ctx).pipe(retry()))],
    ["a few times", (ctx: McpToolContext) => asks(ctx).pipe(retry(3))],
    [
      "and a once",
      (ctx: McpToolContext) =>
        lastValueFrom(
          defer(async () => {
            const { action } = await ctx.elicit("A?", consent).catch(() => ({ action: "none" }));
            await ctx.once("x", () => 1);
            return action;
          }).pipe(retry()),
        ),
    ],
  ])("%s ends in the question, asked once, and spins for no one", async (_, handler) => {
    fakeTime();
    const { send, call } = asking(handler);
    const { end, events, ended } = send();
    await vi.waitUntil(() => vi.getTimerCount() > 0 || ended() !== undefined, { interval: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messagesOf(await end)).toEqual(["A?"]);
    expect(events.filter(({ type }) => type === "elicitation")).toHaveLength(1);
    expect(textOf(await call(answer(await end)))).toBe("accept");
  });

  it("that retries misuse ends in the misuse", async () => {
    fakeTime();
    const { send } = asking((ctx) =>
      lastValueFrom(defer(() => ctx.elicit("A?", z.object({ a: z.date() }))).pipe(retry())),
    );
    const { end } = send();
    await pass(1_000);
    expect(textOf(await end)).toMatch(/property "a"/);
  });
});

describe("a question inside an Observable handler", () => {
  it("ends the round and is answered in the next", async () => {
    const { call, told } = asking((ctx) => from(ctx.elicit("Who?", named)).pipe(map(({ content }) => content?.name)));
    expect(textOf(await call(answer(await call(), accept({ name: "Ann" }))))).toBe("Ann");
    expect(told()).toEqual([]);
  });

  it("whose error is swallowed does not let the handler win", async () => {
    const { call, told } = asking((ctx) => from(ctx.elicit("A?", consent).catch(() => EMPTY)));
    expect(messagesOf(await call())).toEqual(["A?"]);
    expect(told()).toEqual(["question-open"]);
  });
});

describe("misuse beats an open question", () => {
  const twice = (ctx: McpToolContext) => Promise.all([ctx.elicit("Same?", consent), ctx.elicit("Same?", consent)]);

  it.each<readonly [string, (ctx: McpToolContext) => unknown, RegExp]>([
    ["a form that cannot be said", (ctx) => ctx.elicit("B?", z.object({ when: z.date() })), /property "when"/],
    ["a schema that is none", (ctx) => ctx.elicit("B?", {} as never), /z\.object/],
    ["a message that is none", (ctx) => ctx.elicit(5 as never, consent), /`message`/],
    ["a URL that is none", (ctx) => ctx.elicitUrl("B?", "nowhere"), /`url`/],
    ["a method that is none", (ctx) => ctx.requestInput({ method: "tools/list" } as never), /`method`/],
    [
      "a request without a JSON form",
      (ctx) => ctx.requestInput({ method: "roots/list", params: { map: new Map() } }),
      /JSON/,
    ],
    ["the same question twice at once", twice, /twice at once/],
    [
      "a key used twice at once",
      (ctx) => Promise.all([ctx.elicit("B?", consent, { key: "k" }), ctx.elicit("C?", consent, { key: "k" })]),
      /"k" again/,
    ],
    ["a key that is no string", (ctx) => ctx.elicit("B?", consent, { key: 5 as never }), /`key`/],
    [
      "more than 32 questions",
      (ctx) => Promise.all(Array.from({ length: 32 }, (_, n) => ctx.elicit(`${n}?`, consent))),
      /at most 32/,
    ],
    ["a once key that is no string", (ctx) => ctx.once(5 as never, () => 1), /once key/],
    ["a once without a function", (ctx) => ctx.once("x", 5 as never), /function/],
  ])("%s", async (_, misuse, message) => {
    const { call } = asking(async (ctx) => {
      await Promise.allSettled([ctx.elicit("A?", consent), misuse(ctx)]);
      return "swallowed";
    });
    expect(textOf(await call())).toMatch(message);
    const unawaited = asking((ctx) => {
      Promise.resolve(misuse(ctx)).catch(() => undefined);
      void ctx.elicit("A?", consent).catch(() => undefined);
      return "swallowed";
    });
    expect(textOf(await unawaited.call())).toMatch(message);
  });

  it("and 32 questions are none", async () => {
    const { call } = asking((ctx) => Promise.all(Array.from({ length: 32 }, (_, n) => ctx.elicit(`${n}?`, consent))));
    expect(messagesOf(await call())).toHaveLength(32);
  });

  it("as a key in a loop does in the round where it comes back", async () => {
    const { call } = asking(async (ctx) => {
      for (const message of ["A?", "A?"]) await ctx.elicit(message, consent, { key: "k" });
    });
    const round = await call();
    expect(messagesOf(round)).toEqual(["A?"]);
    expect(textOf(await call(answer(round)))).toMatch(/"k" again/);
  });

  it("as two parallel branches do that ask the same text, in whatever order", async () => {
    let isSwapped = false;
    const { call } = asking(async (ctx) => {
      const branch = async (name: string) => {
        await Promise.resolve();
        return `${name}: ${(await ctx.elicit("Continue?", consent)).action}`;
      };
      const names = isSwapped ? ["b", "a"] : ["a", "b"];
      return (await Promise.all(names.map(branch))).join();
    });
    expect(textOf(await call())).toMatch(/twice at once/);
    isSwapped = true;
    expect(textOf(await call())).toMatch(/twice at once/);
    const { call: keyed } = asking(async (ctx) => {
      const branch = async (name: string) =>
        `${name}: ${(await ctx.elicit("Continue?", consent, { key: name })).action}`;
      const names = isSwapped ? ["b", "a"] : ["a", "b"];
      return (await Promise.all(names.map(branch))).sort().join();
    });
    const round = await keyed();
    isSwapped = false;
    const responses = { a: accept(), b: { action: "decline" } };
    expect(textOf(await keyed(answer(round, responses, true)))).toBe("a: accept,b: decline");
  });
});

describe("what comes too late", () => {
  it("a question after the round ended is refused with the signal and asks nobody", async () => {
    const { promise, open } = gate();
    let caught: unknown;
    let isFirst = true;
    const { call, send } = asking(async (ctx) => {
      if (!isFirst) return (await ctx.elicit("A?", consent)).action;
      isFirst = false;
      promise
        .then(() => ctx.elicit("Late?", consent))
        .catch((error: unknown) => {
          caught = error;
        });
      return ctx.elicit("A?", consent);
    });
    const { end, events } = send();
    expect(messagesOf(await end)).toEqual(["A?"]);
    open();
    await turn();
    expect(isUnanswered(caught)).toBe(true);
    expect(events.map(({ type }) => type)).toEqual(["elicitation", "input-required"]);
    expect(textOf(await call(answer(await end)))).toBe("accept");
  });

  it("a question after the handler returned asks nobody, though something that runs once is waited for", async () => {
    const { promise, open } = gate();
    let caught: unknown;
    const { send } = asking((ctx) => {
      const late = async () => {
        await ctx.once("x", () => promise);
        await ctx.elicit("Late?", consent);
      };
      late().catch((error: unknown) => {
        caught = error;
      });
      return "done";
    });
    const { end } = send();
    await turn();
    open();
    expect(textOf(await end)).toBe("done");
    expect(isUnanswered(caught)).toBe(true);
  });

  it("a question that a returned handler left behind unawaited still ends the round", async () => {
    const { call, told } = asking((ctx) => {
      void ctx.elicit("A?", consent);
      return "done";
    });
    expect(messagesOf(await call())).toEqual(["A?"]);
    expect(told()).toEqual(["question-open"]);
  });

  it("unawaited questions and once blocks never are unhandled rejections", async () => {
    const { call } = asking(async (ctx) => {
      void ctx.elicit("A?", consent);
      void ctx.elicitUrl("B?", "nowhere");
      void ctx.requestInput({ method: "roots/list" });
      void ctx.later();
      void ctx.once("x", () => Promise.reject(new Error("failed")));
      void ctx.once("y", 5 as never);
      await turn();
      void ctx.once("x", () => 1);
      return "done";
    });
    expect(textOf(await call())).toMatch(/Expected/);
    expect(errorOf(await asking((ctx) => ctx.elicit("A?", consent)).call({}, {}))).toMatchObject({ code: -32021 });
  });

  it("progress of a branch that runs on is not sent while the state is sealed, nor after", async () => {
    let emitted: boolean | undefined;
    const { send, told } = asking(async (ctx) => {
      ctx.progress(1);
      ctx.signal.addEventListener("abort", () => {
        emitted = ctx.progress(2);
      });
      await ctx.elicit("A?", consent);
    });
    const { end, events } = send();
    await end;
    expect(emitted).toBe(false);
    expect(events.map(({ type }) => type)).toEqual(["progress", "elicitation", "input-required"]);
    expect(told()).toEqual(["late-progress"]);
  });
});

describe("leaving", () => {
  it("during a question leaves silence, no timer, and a handler that sees why", async () => {
    fakeTime();
    const reasons: unknown[] = [];
    const { send, server } = asking(async (ctx) => {
      ctx.signal.addEventListener("abort", () => reasons.push(ctx.signal.reason));
      await ctx.elicit("A?", consent).catch(() => undefined);
      await ctx.once("x", () => 1).catch(() => undefined);
      await new Promise(() => undefined);
    });
    const { events, subscription } = send();
    await vi.waitUntil(() => vi.getTimerCount() > 0, { interval: 1 });
    subscription.unsubscribe();
    expect(reasons).toEqual([expect.objectContaining({ name: "Cancelled" })]);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events.map(({ type }) => type)).toEqual(["elicitation"]);
    await server.close();
  });

  it("lets nothing start or be asked any more: it is refused with the signal's reason", async () => {
    const { promise, open } = gate();
    const run = vi.fn();
    const caught: unknown[] = [];
    const { send, told } = asking(async (ctx) => {
      await promise;
      for (const late of [ctx.elicit("A?", consent), ctx.once("x", run)]) {
        await late.catch((error: unknown) => caught.push(error));
      }
      throw caught[0];
    });
    const { subscription, events } = send();
    subscription.unsubscribe();
    open();
    await vi.waitUntil(() => caught.length === 2);
    expect(caught).toEqual([
      expect.objectContaining({ name: "Cancelled" }),
      expect.objectContaining({ name: "Cancelled" }),
    ]);
    expect(run).not.toHaveBeenCalled();
    expect([events, told()]).toEqual([[], []]);
  });

  it("while an answer is still being checked starts nothing that waited for it", async () => {
    const { promise, open } = gate();
    const run = vi.fn();
    const schema = consent.refine(() => promise.then(() => true));
    const caught: unknown[] = [];
    const { send, call } = asking(async (ctx) => {
      const late = [ctx.elicit("A?", schema, { key: "a" }), ctx.once("x", run)];
      await Promise.all(late.map((each) => each.catch((error: unknown) => caught.push(error))));
    });
    const { subscription } = send({ inputResponses: { a: accept() } });
    for (let n = 0; n < 20; n += 1) await turn();
    subscription.unsubscribe();
    open();
    await vi.waitUntil(() => caught.length > 0);
    expect(caught).toEqual([expect.objectContaining({ name: "Cancelled" })]);
    expect(run).not.toHaveBeenCalled();
    resultOf(await call({ inputResponses: { a: accept() } }));
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("a deadline that passes while a once runs beside a question ends the call", async () => {
    fakeTime();
    const { send } = asking(
      (ctx) => Promise.all([ctx.once("x", () => new Promise(() => undefined)), ctx.elicit("A?", consent)]),
      { timeoutMs: 500 },
    );
    const { end } = send();
    await pass(500);
    expect(resultOf(await end)).toMatchObject({ isError: true });
    expect(vi.getTimerCount()).toBe(0);
  });
});
