import {
  Disconnected,
  definePrompt,
  defineResource,
  defineTool,
  McpError,
  type McpToolContext,
  MissingCapabilityError,
  UnsupportedRevisionError,
} from "mcp-headway";
import { VirtualTimeScheduler } from "rxjs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, observe, resultOf, serverOf } from "./kit.ts";
import { accept, legacy, pushing, textOf, turn, versions } from "./legacy.ts";

const named = z.object({ name: z.string().min(2) });
const who = async (ctx: McpToolContext) => {
  const answer = await ctx.elicit("Who?", named);
  return answer.action === "accept" ? answer.content.name : answer.action;
};

describe("a pushed question", () => {
  it("goes out at once, in its place among the progress, and the handler waits where it is", async () => {
    let runs = 0;
    const { call, diagnostics } = pushing(async (ctx) => {
      runs += 1;
      ctx.progress(1);
      const name = await who(ctx);
      ctx.progress(2);
      return name;
    });
    const { answer, events, ended, text } = call();
    await turn();
    expect(ended()).toBeUndefined();
    await answer(accept({ name: "Ann" }));
    expect(await text()).toBe("Ann");
    expect(events.map(({ type }) => type)).toEqual(["progress", "elicitation", "progress", "result"]);
    expect(runs).toBe(1);
    expect(diagnostics).toEqual([]);
  });

  it("is there before the handler goes on, as any report is", async () => {
    const { call } = pushing(async (ctx) => {
      ctx.progress(1);
      const asked = ctx.elicit("Who?", named);
      ctx.progress(2);
      return (await asked).action;
    });
    const { answer, end, events } = call();
    expect(events.map(({ type }) => type)).toEqual(["progress", "elicitation", "progress"]);
    await answer({ action: "cancel" });
    await end;
  });

  it("says what the handler asked", async () => {
    const { question, answer, end } = pushing(who).call();
    expect((await question()).request).toStrictEqual({
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Who?",
        requestedSchema: {
          type: "object",
          properties: { name: { type: "string", minLength: 2 } },
          required: ["name"],
        },
      },
    });
    await answer({ action: "decline" });
    await end;
  });

  it.each(["decline", "cancel"])("is answered by %s, and what comes with that is ignored", async (action) => {
    const { answer, questions, text } = pushing(who).call();
    await answer({ action, content: { name: 5 } });
    expect(await text()).toBe(action);
    expect(questions()).toHaveLength(1);
  });

  it("is answered once: only the first answer counts", async () => {
    const { answer, text } = pushing(who).call();
    await answer(accept({ name: "Ann" }));
    await answer(accept({ name: "Bob" }));
    await answer(new Error("late"));
    expect(await text()).toBe("Ann");
  });

  it("may be open beside another, and each gets its own answer", async () => {
    const { call } = pushing(async (ctx) => {
      const both = await Promise.all([ctx.elicit("A?", named), ctx.elicit("B?", named)]);
      return both.map(({ content }) => content?.name).join();
    });
    const { question, text } = call();
    const [a, b] = [await question(0), await question(1)];
    b.answer?.(accept({ name: "bb" }));
    a.answer?.(accept({ name: "aa" }));
    expect(await text()).toBe("aa,bb");
    expect(a.key).not.toBe(b.key);
  });

  it("may ask the client's model, and for its roots", async () => {
    const { call } = pushing(async (ctx) => {
      const params = { messages: [], maxTokens: 5 };
      const { model } = await ctx.requestInput({ method: "sampling/createMessage", params });
      const { roots } = await ctx.requestInput({ method: "roots/list" });
      return `${model} ${roots.length}`;
    });
    const { answer, text } = call(legacy("2024-11-05"));
    await answer({ role: "assistant", content: { type: "text", text: "hi" }, model: "m" });
    await answer({ roots: [{ uri: "file:///a" }] }, 1);
    expect(await text()).toBe("m 1");
  });

  it("works in prompts and resources too", async () => {
    const prompt = definePrompt({
      name: "p",
      handler: async (_, ctx) => String((await ctx.elicit("?", named)).action),
    });
    const resource = defineResource({
      uri: "a:b",
      name: "r",
      read: async (_u, _v, ctx) => (await ctx.elicit("?", named)).action,
    });
    const { server } = serverOf({ prompts: [prompt], resources: [resource] });
    for (const request of [
      { method: "prompts/get", params: { name: "p" } },
      { method: "resources/read", params: { uri: "a:b" } },
    ]) {
      const { events, end } = observe(server, request, legacy("2025-11-25"));
      await turn();
      const [question] = events.filter((event) => event.type === "elicitation");
      question?.answer?.({ action: "decline" });
      expect(JSON.stringify(resultOf(await end))).toContain("decline");
    }
  });
});

describe("an answer that is not valid", () => {
  it.each([
    [accept({ name: "A" }), /^Who\? \(name: .+\)$/],
    [accept(), /^Who\? \(name: .+\)$/],
    [{ action: "maybe" }, /^Who\? \(action: .+\)$/],
    [null, /^Who\? \(.+\)$/],
    [5, /^Who\? \(.+\)$/],
    [{}, /^Who\? \(action: .+\)$/],
  ])("is asked for again, with the first issue at the end: %j", async (response, message) => {
    const { answer, question, questions, text } = pushing(who).call();
    await answer(response);
    const again = await question(1);
    expect(again.request.params).toMatchObject({ message: expect.stringMatching(message) });
    expect(again.key).toBe(questions()[0]?.key);
    await answer(accept({ name: "Ann" }), 1);
    expect(await text()).toBe("Ann");
  });

  it("is asked for again twice, and no more", async () => {
    const { answer, end, questions } = pushing(who).call();
    for (const index of [0, 1, 2]) await answer(accept({ name: "A" }), index);
    const result = resultOf(await end);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/^The client's answer is not valid, though it was asked 3 times: name: /);
    expect(questions().map(({ request }) => request.params)).toMatchObject([
      { message: "Who?" },
      { message: expect.stringMatching(/^Who\? \([^()]+\)$/) },
      { message: expect.stringMatching(/^Who\? \([^()]+\)$/) },
    ]);
  });

  it("is validated with the schema itself, `refine` included", async () => {
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, "must be even") });
    const { answer, question, text } = pushing(async (ctx) => (await ctx.elicit("N?", even)).content?.n).call();
    await answer(accept({ n: 1 }));
    expect((await question(1)).request.params).toMatchObject({ message: "N? (n: must be even)" });
    await answer(accept({ n: 2 }), 1);
    expect(await text()).toBe("2");
  });
});

describe("an answer that is an error", () => {
  it("rejects, and does not pass for an error of the handler's own", async () => {
    const { answer, end } = pushing(who).call();
    await answer(new McpError(-32601, "Method not found"));
    const result = resultOf(await end);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe("The client did not answer: Method not found");
  });

  it("rejects with itself when it says that the client left", async () => {
    const left = new Disconnected();
    let caught: unknown;
    const { answer, end } = pushing((ctx) =>
      who(ctx).catch((error) => {
        caught = error;
      }),
    ).call();
    await answer(left);
    await end;
    expect(caught).toBe(left);
  });
});

describe("a call that ends while its question is open", () => {
  it("rejects the question with the signal's reason when the subscriber leaves", async () => {
    let caught: unknown;
    let reason: unknown;
    const { call, diagnostics } = pushing(async (ctx) => {
      await who(ctx).catch((error) => {
        caught = error;
      });
      reason = ctx.signal.reason;
    });
    const { question, subscription, answer } = call();
    await question();
    subscription.unsubscribe();
    await turn();
    expect(caught).toBeInstanceOf(Error);
    expect(caught).toBe(reason);
    await answer(accept({ name: "Ann" }));
    expect(diagnostics).toEqual([]);
  });

  it("rejects it also when the subscriber leaves while an answer is checked that is not valid", async () => {
    const checks: ((isValid: boolean) => void)[] = [];
    const slow = z.object({ name: z.string().refine(() => new Promise<boolean>((resolve) => checks.push(resolve))) });
    const caught: unknown[] = [];
    const reasons: unknown[] = [];
    const { call } = pushing(async (ctx) => {
      await ctx.elicit("Who?", slow).catch((error) => caught.push(error));
      reasons.push(ctx.signal.reason);
    });
    const { subscription, answer, questions } = call();
    await answer(accept({ name: "Ann" }));
    await turn();
    expect(checks).toHaveLength(1);
    subscription.unsubscribe();
    checks[0]?.(false);
    await turn();
    expect(caught).toEqual([expect.any(Error)]);
    expect(caught).toEqual(reasons);
    expect(questions()).toHaveLength(1);
  });

  it("takes the handler's word and rejects the question, which a diagnostic tells", async () => {
    let rejected: unknown;
    const { call, diagnostics } = pushing((ctx) => {
      ctx.elicit("Who?", named).catch((error) => {
        rejected = error;
      });
      return turn().then(() => "done");
    });
    const { question, text } = call();
    await question();
    expect(await text()).toBe("done");
    await turn();
    expect(rejected).toMatchObject({ message: "The call ended before its question was answered" });
    expect(diagnostics).toMatchObject([{ type: "question-open", handlerName: "t" }]);
  });

  it("asks nothing after its end", async () => {
    let late: Promise<unknown> | undefined;
    const { call } = pushing((ctx) => {
      setImmediate(() => {
        late = ctx.elicit("Who?", named);
      });
      return "done";
    });
    const { events, text } = call();
    expect(await text()).toBe("done");
    await turn();
    await expect(late).rejects.toThrow("The call ended");
    expect(events).toHaveLength(1);
  });

  it("does not let a handler that retries for ever hold the process", async () => {
    let tries = 0;
    const { call } = pushing(async (ctx) => {
      for (;;) {
        tries += 1;
        await who(ctx).catch(() => undefined);
      }
    });
    const { question, subscription } = call();
    await question();
    subscription.unsubscribe();
    await turn();
    await turn();
    expect(tries).toBeGreaterThan(100);
    expect(tries).toBeLessThan(2_000);
  });

  it("does not let one spin that retries a question no form can say, or a client that hung up", async () => {
    let tries = 0;
    const nested = z.object({ inner: z.object({ a: z.string() }) });
    const { call } = pushing(async (ctx) => {
      for (;;) {
        tries += 1;
        await ctx.elicit("Who?", nested).catch(() => undefined);
      }
    });
    const { subscription } = call();
    await turn();
    await turn();
    expect(tries).toBeGreaterThan(100);
    expect(tries).toBeLessThan(2_000);
    subscription.unsubscribe();
  });
});

describe("once, in the one run of a legacy call", () => {
  it("runs once, and shares the run among concurrent callers", async () => {
    let runs = 0;
    const { call } = pushing(async (ctx) => {
      const run = async () => ++runs;
      const values = await Promise.all([ctx.once("a", run), ctx.once("a", run), ctx.once("b", run)]);
      return values.join();
    });
    expect(await call().text()).toBe("1,1,2");
  });

  it("starts while a question is open, which the handler may be waiting for", async () => {
    const { call } = pushing(async (ctx) => {
      const asked = ctx.elicit("Who?", named);
      const value = await ctx.once("a", () => 5);
      return `${value} ${(await asked).action}`;
    });
    const { answer, text } = call();
    await answer({ action: "cancel" });
    expect(await text()).toBe("5 cancel");
  });

  it.each<[string, (ctx: McpToolContext) => Promise<unknown>]>([
    ["a key that finished", (ctx) => ctx.once("a", () => 1).then(() => ctx.once("a", () => 2))],
    ["a key that is no string", (ctx) => ctx.once(JSON.parse("5"), () => 1)],
    ["what is no function", (ctx) => ctx.once("a", JSON.parse("5"))],
  ])("refuses %s, though the handler catches it", async (_, handler) => {
    const { call } = pushing((ctx) => handler(ctx).catch(() => "caught"));
    const result = resultOf(await call().end);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/^Expected /);
  });

  it("starts nothing after the end", async () => {
    let ran = false;
    let late: Promise<unknown> | undefined;
    const { call } = pushing((ctx) => {
      setImmediate(() => {
        late = ctx.once("a", () => {
          ran = true;
        });
      });
    });
    await call().end;
    await turn();
    await expect(late).rejects.toThrow("The call ended");
    expect(ran).toBe(false);
  });

  it("gives each call an id of its own", async () => {
    const { call } = pushing((ctx) => `${ctx.callId} ${ctx.callId}`);
    const [first = "", second = ""] = [String(await call().text()), String(await call().text())];
    expect(first.split(" ")[0]).toBe(first.split(" ")[1]);
    expect(first).not.toBe(second);
  });
});

describe("a question's key", () => {
  const declined = { action: "decline" };

  it("is the one given", async () => {
    const { answer, question, end } = pushing((ctx) => ctx.elicit("Who?", named, { key: "name" })).call();
    expect((await question()).key).toBe("name");
    await answer(declined);
    await end;
  });

  it("tells the same question asked twice, one after the other", async () => {
    const { answer, questions, end } = pushing(async (ctx) => {
      await who(ctx);
      await who(ctx);
    }).call();
    await answer(declined);
    await answer(declined, 1);
    await end;
    expect(new Set(questions().map(({ key }) => key)).size).toBe(2);
  });

  it.each<[string, (ctx: McpToolContext) => Promise<unknown>, number]>([
    [
      "is used once",
      async (ctx) => {
        await ctx.elicit("A?", named, { key: "k" });
        await ctx.elicit("B?", named, { key: "k" });
      },
      1,
    ],
    ["is needed for the same question asked twice at once", (ctx) => Promise.all([who(ctx), who(ctx)]), 1],
    ["is a string", (ctx) => ctx.elicit("A?", named, { key: JSON.parse("5") }), 0],
  ])("%s, though the handler catches it", async (_, handler, asked) => {
    const { answer, end, questions } = pushing((ctx) => handler(ctx).catch(() => "caught")).call();
    if (asked > 0) await answer(declined);
    const result = resultOf(await end);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/^Expected /);
    expect(questions()).toHaveLength(asked);
  });

  it("names at most 32 questions that are open at once", async () => {
    const many = (count: number) => (ctx: McpToolContext) =>
      Promise.all(Array.from({ length: count }, (_, index) => ctx.elicit(`${index}?`, named))).then(() => "done");
    const enough = pushing(many(32)).call();
    for (let index = 0; index < 32; index += 1) await enough.answer(declined, index);
    expect(await enough.text()).toBe("done");
    const result = resultOf(await pushing(many(33)).call().end);
    expect(textOf(result)).toBe("Expected at most 32 open questions, got more");
  });

  it("does not help a form that cannot be said, which is refused before anything is sent", async () => {
    const nested = z.object({ inner: z.object({}) });
    const { end, questions } = pushing((ctx) => ctx.elicit("A?", nested).catch(() => "caught")).call();
    expect(textOf(resultOf(await end))).toContain('"inner"');
    expect(questions()).toEqual([]);
  });
});

describe("later", () => {
  it.each(versions)("is an error in %s that says what it needs", async (version) => {
    const { call, diagnostics } = pushing((ctx) => ctx.later());
    const result = resultOf(await call(legacy(version)).end);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe(
      `The client speaks MCP ${version}, which has no way to call again later: later() needs a client of MCP 2026-07-28`,
    );
    expect(diagnostics).toEqual([]);
  });

  it("can be caught", async () => {
    const { call } = pushing((ctx) => ctx.later().catch((error) => String(error instanceof UnsupportedRevisionError)));
    expect(await call().text()).toBe("true");
  });
});

describe("what a client has not declared", () => {
  const incapable = legacy("2025-11-25", {});

  it.each<[string, (ctx: McpToolContext) => Promise<unknown>, RegExp]>([
    ["forms", (ctx) => ctx.elicit("?", named), /"elicitation":\{"form"/],
    ["URLs", (ctx) => ctx.elicitUrl("?", "https://example.com/"), /"elicitation":\{"url"/],
    ["sampling", (ctx) => ctx.requestInput({ method: "sampling/createMessage", params: {} }), /"sampling"/],
    ["roots", (ctx) => ctx.requestInput({ method: "roots/list" }), /"roots"/],
  ])("is not asked, and the model is told, masked or not: %s", async (_, handler, text) => {
    const { call, diagnostics } = pushing(handler, {}, { maskErrors: true });
    const { end, questions } = call(incapable);
    const result = resultOf(await end);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(text);
    expect(questions()).toEqual([]);
    expect(diagnostics).toEqual([]);
  });

  it("ends a prompt or a resource in -32603 that says so", async () => {
    const prompt = definePrompt({ name: "p", handler: async (_, ctx) => (await ctx.elicit("?", named)).action });
    const resource = defineResource({ uri: "a:b", name: "r", requires: { roots: {} }, read: () => "text" });
    const { server } = serverOf({ prompts: [prompt], resources: [resource] });
    const code = async (method: string, params: Readonly<Record<string, unknown>>) =>
      errorOf(await ask(server, method, params, incapable));
    expect(await code("prompts/get", { name: "p" })).toMatchObject({ code: -32603, message: /elicitation/ });
    expect(await code("resources/read", { uri: "a:b" })).toMatchObject({ code: -32603, message: /roots/ });
  });

  it("can be caught, by the handler that decides the outcome", async () => {
    const { call } = pushing((ctx) => who(ctx).catch((error) => String(error instanceof MissingCapabilityError)));
    expect(await call(incapable).text()).toBe("true");
  });

  it("is found missing before the handler runs when the tool requires it", async () => {
    let runs = 0;
    const { call } = pushing(
      () => {
        runs += 1;
      },
      { requires: { elicitation: { form: {} } } },
    );
    expect(textOf(resultOf(await call(incapable).end))).toMatch(/"elicitation":\{"form"/);
    expect(runs).toBe(0);
    expect(resultOf(await call().end)).toEqual({ content: [] });
    expect(runs).toBe(1);
  });

  it("includes URLs when `elicitation` names no mode", async () => {
    const known = legacy("2025-11-25", { elicitation: {} });
    const { answer, text } = pushing(who).call(known);
    await answer(accept({ name: "Ann" }));
    expect(await text()).toBe("Ann");
    const { call } = pushing((ctx) => ctx.elicitUrl("?", "https://example.com/"));
    expect(resultOf(await call(known).end)).toMatchObject({ isError: true });
  });

  it("is -32021 in the modern era", async () => {
    const tool = defineTool({ name: "t", description: "d", handler: (_, ctx) => ctx.elicit("?", named) });
    const { server } = serverOf({ tools: [tool] });
    expect(errorOf(await ask(server, "tools/call", { name: "t" }))).toMatchObject({ code: -32021 });
  });
});

describe("timeoutMs", () => {
  const waiting = (timeoutMs: number, handler: (ctx: McpToolContext, at: (ms: number) => Promise<void>) => unknown) => {
    const scheduler = new VirtualTimeScheduler();
    const at = (ms: number) =>
      new Promise<void>((resolve) => {
        scheduler.schedule(() => resolve(), ms);
      });
    /** Advances virtual time, no further than `ms` from its start. */
    const until = async (ms: number) => {
      scheduler.maxFrames = ms;
      scheduler.flush();
      scheduler.frame = ms;
      await turn();
    };
    return { until, scheduler, ...pushing((ctx) => handler(ctx, at), { timeoutMs }, { scheduler }).call() };
  };

  it("does not count the time that a question is open", async () => {
    const { answer, ended, question, text, until } = waiting(100, async (ctx, at) => {
      await at(60);
      const name = await who(ctx);
      await at(30);
      return name;
    });
    await until(60);
    await question();
    await until(600_000);
    expect(ended()).toBeUndefined();
    await answer(accept({ name: "Ann" }));
    await turn();
    await until(600_030);
    expect(await text()).toBe("Ann");
  });

  it("counts what was used before the question and what is used after it", async () => {
    const { answer, end, ended, question, until } = waiting(100, async (ctx, at) => {
      await at(60);
      await who(ctx);
      await at(1_000);
    });
    await until(60);
    await question();
    await until(5_000);
    await answer(accept({ name: "Ann" }));
    await turn();
    await until(5_039);
    expect(ended()).toBeUndefined();
    await until(5_040);
    expect(textOf(resultOf(await end))).toBe("The request did not finish within 100 ms");
  });

  it("stands still while any of several questions is open", async () => {
    const { answer, ended, question, text, until } = waiting(100, async (ctx) => {
      await Promise.all([ctx.elicit("A?", named), ctx.elicit("B?", named)]);
      return "done";
    });
    await question(1);
    await answer({ action: "cancel" });
    await answer({ action: "cancel" });
    await until(1_000);
    expect(ended()).toBeUndefined();
    await answer({ action: "cancel" }, 1);
    expect(await text()).toBe("done");
  });

  it("leaves no timer behind a call that ended with its question open", async () => {
    const { question, scheduler, subscription } = waiting(100, who);
    await question();
    subscription.unsubscribe();
    await turn();
    expect(scheduler.actions.filter(({ closed }) => !closed)).toEqual([]);
  });

  it("ends a call that asks nothing", async () => {
    const { end, until } = waiting(100, (_, at) => at(1_000));
    await until(100);
    expect(resultOf(await end)).toMatchObject({ isError: true });
  });
});
