import { definePrompt, defineResource, defineTool, type McpToolContext, type RequestEvent } from "mcp-headway";
import { VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import { able, answer, asking, consent, textOf, turn } from "./asking.ts";
import { observe, resultOf, serverOf } from "./kit.ts";
import { accept, legacy, pushing } from "./legacy.ts";

const every10 = { everyMs: 10, forMs: 1_000 };
const never = () => new Promise<never>(() => undefined);
/** A tool that is silent for ever. */
const silent = (ctx: McpToolContext) => {
  ctx.pulse(every10);
  return never();
};

/** Virtual time that goes on to a moment and stays there. */
function clock() {
  const scheduler = new VirtualTimeScheduler();
  const advance = (toMs: number): void => {
    scheduler.maxFrames = toMs;
    scheduler.flush();
    scheduler.frame = toMs;
  };
  return { scheduler, advance, options: { scheduler, cadence: "every" } as const };
}

const updatesIn = (events: readonly RequestEvent[]) => events.filter((event) => event.type === "progress");
const valuesIn = (events: readonly RequestEvent[]) => updatesIn(events).map(({ progress }) => progress);

describe("ctx.pulse", () => {
  const pulsing = (_first: unknown, _second: unknown, ctx: McpToolContext) => silent(ctx);
  const kinds = [
    {
      offer: { tools: [defineTool({ name: "n", description: "d", handler: (_, ctx) => silent(ctx) })] },
      request: { method: "tools/call", params: { name: "n" } },
    },
    {
      offer: { prompts: [definePrompt({ name: "n", handler: (_, ctx) => silent(ctx) })] },
      request: { method: "prompts/get", params: { name: "n" } },
    },
    {
      offer: { resources: [defineResource({ uri: "a:b", name: "n", read: pulsing })] },
      request: { method: "resources/read", params: { uri: "a:b" } },
    },
  ];
  it.each(kinds)("takes its time from the server's scheduler: $request.method", async ({ offer, request }) => {
    const { advance, options, scheduler } = clock();
    const { server } = serverOf(offer, options);
    const { events, subscription } = observe(server, { ...request, progressToken: 1 });
    await turn();
    advance(35);
    expect(updatesIn(events)).toHaveLength(3);
    subscription.unsubscribe();
    expect(scheduler.actions).toEqual([]);
    const deaf = observe(server, request);
    await turn();
    expect(scheduler.actions).toEqual([]);
    deaf.subscription.unsubscribe();
  });

  it("is checked where it is given, whoever listens", async () => {
    const { send } = asking((ctx) => ctx.pulse({ everyMs: 10, forMs: 9 }));
    for (const known of [able, { ...able, deliversProgress: false }]) {
      expect(textOf(await send({}, known).end)).toMatch(/^Expected `forMs` to be at least `everyMs`/);
    }
  });

  it("is of the request's line, not of a phase", async () => {
    const { advance, options } = clock();
    const { send } = asking(
      async (ctx) => {
        const { first, second } = ctx.phases({ first: 1, second: 1 });
        first.done();
        ctx.pulse(every10);
        await turn();
        advance(25);
        expect(second.percentProgress().complete(0.5)).toBe(true);
        return "done";
      },
      {},
      options,
    );
    const { end, events } = send();
    expect(textOf(await end)).toBe("done");
    const epsilon = Number.EPSILON / 2;
    expect(valuesIn(events)).toEqual([0.5, 0.5 + epsilon, 0.5 + 2 * epsilon, 0.75]);
    expect(updatesIn(events).every(({ total }) => total === 1)).toBe(true);
  });
});

describe("the pulse of a call ends", () => {
  it.each([
    ["with its result", () => "done"],
    [
      "when its handler throws",
      () => {
        throw new Error("failed");
      },
    ],
  ])("%s", async (_title, settle) => {
    const { advance, options, scheduler } = clock();
    const { send } = asking(
      async (ctx) => {
        ctx.pulse(every10);
        advance(15);
        return settle();
      },
      {},
      options,
    );
    const { end, events } = send();
    resultOf(await end);
    expect(updatesIn(events)).toHaveLength(1);
    expect(scheduler.actions).toEqual([]);
  });

  it("at its deadline", async () => {
    const { advance, options, scheduler } = clock();
    const { send } = asking(silent, { timeoutMs: 25 }, options);
    const { end, events } = send();
    await turn();
    advance(100);
    expect(resultOf(await end)).toMatchObject({ isError: true });
    expect(updatesIn(events)).toHaveLength(2);
    expect(scheduler.actions).toEqual([]);
  });
});

describe("a pulse around a question", () => {
  it("ends with the round, and the next one goes on from where it came to", async () => {
    const { advance, options, scheduler } = clock();
    const { send, told } = asking(
      async (ctx) => {
        ctx.pulse(every10);
        advance(scheduler.frame + 25);
        await ctx.elicit("A?", consent);
        return "done";
      },
      {},
      options,
    );
    const first = send();
    const retry = answer(await first.end);
    expect(scheduler.actions).toEqual([]);
    const second = send(retry);
    expect(textOf(await second.end)).toBe("done");
    const values = [...valuesIn(first.events), ...valuesIn(second.events)];
    expect(values).toHaveLength(4);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(told()).toEqual([]);
  });

  it("goes on while a client of 2025 is asked, and its thinking is no silence of the handler", async () => {
    const { advance, options } = clock();
    const { call } = pushing(
      async (ctx) => {
        ctx.pulse({ everyMs: 10, forMs: 20 });
        await ctx.elicit("A?", consent);
        await never();
      },
      {},
      options,
    );
    const { events, question, subscription } = call(legacy("2025-11-25"));
    const asked = await question();
    advance(100);
    expect(updatesIn(events)).toHaveLength(10);
    asked.answer?.(accept({}));
    await turn();
    advance(500);
    expect(updatesIn(events)).toHaveLength(13);
    subscription.unsubscribe();
  });
});
