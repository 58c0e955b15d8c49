import {
  type ClientCapabilities,
  definePrompt,
  defineResource,
  isUnanswered,
  type McpToolContext,
  MissingCapabilityError,
  Unanswered,
} from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { able, accept, answer, askedOf, asking, consent, messagesOf, named, textOf } from "./asking.ts";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const greet = async (ctx: McpToolContext) => {
  const { action, content } = await ctx.elicit("Who are you?", named);
  return action === "accept" ? content.name : action;
};

describe("a question", () => {
  it("ends the round; the handler runs again from the top, where it resolves at once", async () => {
    let runs = 0;
    const { call, told } = asking((ctx) => {
      runs += 1;
      return greet(ctx);
    });
    const round = await call();
    expect(Object.values(askedOf(round).inputRequests)).toEqual([
      {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Who are you?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        },
      },
    ]);
    expect(textOf(await call(answer(round, accept({ name: "Ann" }))))).toBe("Ann");
    expect(runs).toBe(2);
    expect(told()).toEqual([]);
  });

  it("appears in its place among the progress, once", async () => {
    const { send } = asking(async (ctx) => {
      ctx.progress(1);
      await ctx.elicit("Go on?", consent);
    });
    const { events, end } = send();
    await end;
    expect(events.map(({ type }) => type)).toEqual(["progress", "elicitation", "input-required"]);
    expect(events[1]).toMatchObject({ key: Object.keys(askedOf(events[2] as never).inputRequests)[0] });
    expect(events[1]).not.toHaveProperty("answer");
  });

  it("asked with others is one round with all of them", async () => {
    const { call } = asking(async (ctx) => {
      const answers = await Promise.all([ctx.elicit("A?", named), ctx.elicit("B?", named)]);
      return answers.map(({ content }) => content?.name).join();
    });
    const round = await call();
    expect(messagesOf(round)).toEqual(["A?", "B?"]);
    expect(textOf(await call(answer(round, accept({ name: "x" }))))).toBe("x,x");
  });

  it("asked before another is awaited is one round with both", async () => {
    const { call } = asking(async (ctx) => {
      const [a, b] = [ctx.elicit("A?", consent), ctx.elicit("B?", consent)];
      return [(await a).action, (await b).action].join();
    });
    const round = await call();
    expect(messagesOf(round)).toEqual(["A?", "B?"]);
    expect(textOf(await call(answer(round)))).toBe("accept,accept");
  });

  it("that was answered in part asks the rest again", async () => {
    const { call } = asking(async (ctx) => {
      const [a, b] = await Promise.all([ctx.elicit("A?", named, { key: "a" }), ctx.elicit("B?", named, { key: "b" })]);
      return `${a.content?.name},${b.content?.name}`;
    });
    const first = await call();
    const second = await call(answer(first, { a: accept({ name: "1" }), stray: 5 }, true));
    expect(messagesOf(second)).toEqual(["B?"]);
    expect(textOf(await call(answer(second, { b: accept({ name: "2" }), a: accept({ name: "3" }) }, true)))).toBe(
      "1,2",
    );
  });

  it("whose answer comes without a state is one of the first round", async () => {
    const { call } = asking(async (ctx) => (await ctx.elicit("A?", named, { key: "a" })).content?.name);
    expect(textOf(await call({ inputResponses: { a: accept({ name: "x" }) } }))).toBe("x");
    const invalid = await call({ inputResponses: { a: accept({ name: 5 }) } });
    expect(messagesOf(invalid)).toEqual([expect.stringMatching(/^A\? \(name: .+\)$/)]);
  });

  it("that was not open in the last round is not answered by what comes with its state", async () => {
    const { call } = asking(async (ctx) => {
      await ctx.elicit("A?", consent, { key: "a" });
      return (await ctx.elicit("B?", consent, { key: "b" })).action;
    });
    const second = await call(answer(await call(), { a: accept(), b: accept() }, true));
    expect(messagesOf(second)).toEqual(["B?"]);
    expect(textOf(await call(answer(second, { action: "decline" })))).toBe("decline");
  });

  it("is known by its text, schema and turn: asked again after its answer it is another one", async () => {
    const { call } = asking(async (ctx) => {
      const names: unknown[] = [];
      for (let n = 0; n < 3; n += 1) names.push((await ctx.elicit("Next?", named)).content?.name);
      return names.join();
    });
    let round = await call();
    for (const name of ["a", "b"]) round = await call(answer(round, accept({ name })));
    expect(textOf(await call(answer(round, accept({ name: "c" }))))).toBe("a,b,c");
  });

  it("that changed under its key is asked again, with a diagnostic", async () => {
    let amount = 5;
    const { call, told } = asking(async (ctx) => {
      const paid = await ctx.elicit(`Pay ${amount}?`, consent, { key: "pay" });
      await ctx.elicit("Sure?", consent);
      return paid.action;
    });
    const first = await call();
    amount = 6;
    const second = await call(answer(first));
    expect(messagesOf(second)).toEqual(["Pay 6?"]);
    expect(told()).toEqual(["changed-question"]);
    const third = await call(answer(second));
    expect(messagesOf(third)).toEqual(["Sure?"]);
    amount = 7;
    const fourth = await call(answer(third));
    expect(messagesOf(fourth)).toEqual(["Pay 7?"]);
    expect(told()).toEqual(["changed-question", "changed-question"]);
  });

  it("of another kind under its key is asked again too", async () => {
    let schema: z.ZodObject = named;
    const { call, told } = asking((ctx) => ctx.elicit("A?", schema, { key: "a" }));
    const first = await call();
    schema = z.object({ name: z.string(), age: z.int() });
    expect(messagesOf(await call(answer(first, accept({ name: "x", age: 5 }))))).toEqual(["A?"]);
    expect(told()).toEqual(["changed-question"]);
  });

  it.each(["constructor", "hasOwnProperty", "toString", ""])("may have the key %j", async (name) => {
    const { call } = asking(async (ctx) => (await ctx.elicit("A?", consent, { key: name })).action);
    const round = await call({ inputResponses: {} });
    expect(Object.keys(askedOf(round).inputRequests)).toEqual([name]);
    expect(messagesOf(round)).toEqual(["A?"]);
    const inputResponses = JSON.parse(`{${JSON.stringify(name)}: {"action": "decline"}}`);
    expect(textOf(await call({ requestState: askedOf(round).requestState, inputResponses }))).toBe("decline");
  });
});

it("`__proto__` among the answers is a key like any other, and cannot be a question's", async () => {
  const { call, told } = asking(async (ctx) => (await ctx.elicit("A?", named, { key: "a" })).content?.name);
  const inputResponses = JSON.parse('{"__proto__": {"a": {"action": "accept", "content": {"name": "x"}}}}');
  expect(messagesOf(await call({ inputResponses }))).toEqual(["A?"]);
  const round = await call();
  expect(messagesOf(await call({ ...answer(round), inputResponses }))).toEqual(["A?"]);
  expect(told()).toEqual([]);
  const refused = await asking((ctx) => ctx.elicit("A?", consent, { key: "__proto__" })).call();
  expect(textOf(refused)).toMatch(/`key`/);
});

describe("an answer", () => {
  const outcome = async (response: unknown) => {
    const { call } = asking(async (ctx) => JSON.stringify(await ctx.elicit("A?", named)));
    const event = await call(answer(await call(), response));
    return event.type === "input-required" ? messagesOf(event)[0] : JSON.parse(String(textOf(event)));
  };

  it.each(["decline", "cancel"])("of %s is one, and its content is ignored", async (action) => {
    expect(await outcome({ action })).toEqual({ action });
    expect(await outcome({ action, content: { name: 5 } })).toEqual({ action });
    expect(await outcome({ action, content: null })).toEqual({ action });
  });

  it.each<readonly [string, unknown, RegExp]>([
    ["fails the schema", accept({ name: 5 }), /^A\? \(name: .*string.*\)$/],
    ["lacks its content", accept(), /^A\? \(name: .+\)$/],
    ["has null for its content", accept(null), /^A\? \(.+\)$/],
    ["has an unknown action", { action: "maybe" }, /^A\? \(action: .+\)$/],
    ["has no action", {}, /^A\? \(action: .+\)$/],
    ["is null", null, /^A\? \(.+\)$/],
    ["is a text", "yes", /^A\? \(.+\)$/],
    ["is an array", [accept({ name: "x" })], /^A\? \(.+\)$/],
  ])("that %s is asked for again with the first issue, and is not handed over", async (_, response, message) => {
    expect(await outcome(accept({ name: "x" }))).toEqual(accept({ name: "x" }));
    expect(await outcome(response)).toMatch(message);
  });

  it("is asked for again under the same key, however often it fails", async () => {
    const { call, told } = asking(async (ctx) => (await ctx.elicit("A?", named)).content?.name);
    const first = await call();
    const second = await call(answer(first, accept({ name: 5 })));
    const third = await call(answer(second, { action: "?" }));
    expect(Object.keys(askedOf(second).inputRequests)).toEqual(Object.keys(askedOf(first).inputRequests));
    expect(messagesOf(third)).toEqual([expect.stringMatching(/^A\? \([^()]+\)$/)]);
    expect(textOf(await call(answer(third, accept({ name: "x" }))))).toBe("x");
    expect(told()).toEqual([]);
  });

  it("is validated with the schema itself: what only our side can check, and what it outputs", async () => {
    const schema = z.object({
      name: z
        .string()
        .trim()
        .refine((name) => name !== "root", "not root"),
      age: z.int().default(7),
    });
    const { call } = asking(async (ctx) => JSON.stringify((await ctx.elicit("A?", schema)).content));
    const first = await call();
    const second = await call(answer(first, accept({ name: "root" })));
    expect(messagesOf(second)).toEqual(["A? (name: not root)"]);
    expect(textOf(await call(answer(second, accept({ name: " x " }))))).toBe('{"name":"x","age":7}');
  });

  it("without content accepts an empty form", async () => {
    const { call } = asking(async (ctx) => JSON.stringify(await ctx.elicit("A?", consent)));
    expect(textOf(await call(answer(await call(), accept())))).toBe('{"action":"accept","content":{}}');
  });

  it("that accepts a URL is consent without content", async () => {
    const { call } = asking(async (ctx) => JSON.stringify(await ctx.elicitUrl("Sign in", "https://example.com/a b")));
    const round = await call();
    expect(Object.values(askedOf(round).inputRequests)).toEqual([
      { method: "elicitation/create", params: { mode: "url", message: "Sign in", url: "https://example.com/a%20b" } },
    ]);
    expect(textOf(await call(answer(round, accept({ stray: 1 }))))).toBe('{"action":"accept"}');
  });

  it("to a form in the protocol's own words has no content either when it is declined", async () => {
    const params = { mode: "form", message: "A?", requestedSchema: { type: "object", properties: {} } };
    const { call } = asking(async (ctx) =>
      JSON.stringify(await ctx.requestInput({ method: "elicitation/create", params })),
    );
    const round = await call();
    const declined = { action: "decline", content: { stray: 1 } };
    expect(textOf(await call(answer(round, declined)))).toBe('{"action":"decline"}');
    expect(textOf(await call(answer(round, accept({ a: 1 }))))).toBe('{"action":"accept","content":{"a":1}}');
  });

  it("to sampling and roots is theirs, and a malformed one is asked for again", async () => {
    const { call } = asking(async (ctx) => {
      const { roots } = await ctx.requestInput({ method: "roots/list" });
      const { model } = await ctx.requestInput({
        method: "sampling/createMessage",
        params: { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 },
      });
      return `${roots[0]?.uri} ${model}`;
    });
    const first = await call();
    expect(Object.values(askedOf(first).inputRequests)).toEqual([{ method: "roots/list" }]);
    const again = await call(answer(first, { roots: "none" }));
    expect(Object.values(askedOf(again).inputRequests)).toEqual([{ method: "roots/list" }]);
    const second = await call(answer(again, { roots: [{ uri: "file:///a" }] }));
    const sample = { role: "assistant", content: { type: "text", text: "Ho" }, model: "m" };
    expect(textOf(await call(answer(second, sample)))).toBe("file:///a m");
  });
});

describe("later", () => {
  it("ends the round with state and no question, until it is not called any more", async () => {
    let ready = false;
    const { call } = asking(async (ctx) => {
      const { action } = await ctx.elicitUrl("Pay", "https://example.com/pay");
      if (!ready) await ctx.later();
      return action;
    });
    let round = await call(answer(await call()));
    for (let poll = 0; poll < 3; poll += 1) {
      expect(askedOf(round).inputRequests).toEqual({});
      round = await call({ requestState: askedOf(round).requestState });
    }
    ready = true;
    expect(textOf(await call({ requestState: askedOf(round).requestState }))).toBe("accept");
  });
});

describe("a missing capability", () => {
  const form = (ctx: McpToolContext) => ctx.elicit("A?", consent);
  const url = (ctx: McpToolContext) => ctx.elicitUrl("A?", "https://example.com");
  const sample =
    (tools: object = {}) =>
    (ctx: McpToolContext) =>
      ctx.requestInput({ method: "sampling/createMessage", params: { messages: [], maxTokens: 1, ...tools } });
  const roots = (ctx: McpToolContext) => ctx.requestInput({ method: "roots/list" });
  const known = (capabilities: ClientCapabilities) => ({ client: { capabilities } });

  it.each<readonly [string, (ctx: McpToolContext) => Promise<unknown>, ClientCapabilities, ClientCapabilities]>([
    ["a form", form, {}, { elicitation: { form: {} } }],
    ["a form of who takes URLs only", form, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ["a URL", url, {}, { elicitation: { url: {} } }],
    ["a URL of who takes forms only", url, { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ["a URL of who names no mode", url, { elicitation: {} }, { elicitation: { url: {} } }],
    ["a sample", sample(), { elicitation: {} }, { sampling: {} }],
    ["a sample with tools", sample({ tools: [] }), { sampling: {} }, { sampling: { tools: {} } }],
    ["roots", roots, { sampling: {} }, { roots: {} }],
  ])("for %s is -32021 naming it", async (_, handler, capabilities, requiredCapabilities) => {
    const { call, told } = asking(handler);
    expect(errorOf(await call({}, known(capabilities)))).toMatchObject({
      code: -32021,
      data: { requiredCapabilities },
    });
    askedOf(await call({}, known(requiredCapabilities)));
    expect(told()).toEqual([]);
  });

  it("is none when `elicitation` names no mode: that means forms", async () => {
    askedOf(await asking(form).call({}, known({ elicitation: {} })));
  });

  it("can be caught, and the handler decides", async () => {
    const { call } = asking(async (ctx) => {
      try {
        await form(ctx);
        return "asked";
      } catch (error) {
        return error instanceof MissingCapabilityError && JSON.stringify(error.requiredCapabilities);
      }
    });
    expect(textOf(await call({}, known({})))).toBe('{"elicitation":{"form":{}}}');
  });

  it("is looked for in each request", async () => {
    const { call } = asking(form);
    const round = await call();
    expect(errorOf(await call(answer(round), known({})))).toMatchObject({ code: -32021 });
    resultOf(await call(answer(round)));
  });

  it.each<readonly [ClientCapabilities, ClientCapabilities, ClientCapabilities | undefined]>([
    [{ elicitation: {} }, {}, { elicitation: { form: {} } }],
    [{ elicitation: { form: {}, url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
    [{ sampling: {}, roots: {} }, { roots: {} }, { sampling: {} }],
    [{ sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
    [{ extensions: { "a/b": {} } }, { extensions: {} }, { extensions: { "a/b": {} } }],
    [{ elicitation: { form: {} } }, { elicitation: { form: { x: 1 } }, roots: {} }, undefined],
  ])("that a definition requires, %j of %j, is found before the handler runs", async (requires, declared, missing) => {
    let ran = 0;
    const count = () => {
      ran += 1;
    };
    const { call } = asking(count, { requires });
    const event = await call({}, known(declared));
    if (missing === undefined) resultOf(event);
    else expect(errorOf(event)).toMatchObject({ code: -32021, data: { requiredCapabilities: missing } });
    resultOf(await call({}, known(requires)));
    expect(ran).toBe(missing === undefined ? 2 : 1);
  });
});

describe("prompts and resources", () => {
  const prompt = definePrompt({
    name: "p",
    requires: { elicitation: { form: {} } },
    handler: async (_, ctx) => `Hello ${(await ctx.elicit("Who?", named)).content?.name}`,
  });
  const resource = defineResource({
    uri: "a:b",
    name: "r",
    requires: { elicitation: { form: {} } },
    read: async (_uri, _variables, ctx) => `Hello ${(await ctx.elicit("Who?", named)).content?.name}`,
  });

  it.each([
    ["prompts/get", { name: "p" }],
    ["resources/read", { uri: "a:b" }],
  ])("ask as tools do: %s", async (method, params) => {
    const { server } = serverOf({ prompts: [prompt], resources: [resource] });
    const call = (retry: object = {}, known = able) => ask(server, method, { ...params, ...retry }, known);
    const round = await call();
    expect(askedOf(round)._meta).toBeDefined();
    expect(JSON.stringify(resultOf(await call(answer(round, accept({ name: "Ann" })))))).toContain("Hello Ann");
    expect(errorOf(await call({}, {}))).toMatchObject({ code: -32021 });
  });
});

describe("asking elsewhere", () => {
  it("is an ordinary error, also through a context that a handler let out", async () => {
    let kept: McpToolContext | undefined;
    const prompt = definePrompt({
      name: "p",
      argsSchema: z.object({ a: z.string() }),
      complete: {
        a: async () => {
          await kept?.elicit("A?", consent);
          return [];
        },
      },
      handler: () => "x",
    });
    const { server } = serverOf({ prompts: [prompt] });
    const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
    resultOf(await ask(server, "completion/complete", params, able));
    await asking((ctx) => {
      kept = ctx;
    }).call();
    expect(errorOf(await ask(server, "completion/complete", params, able))).toMatchObject({ code: -32603 });
  });
});

describe("a call in several rounds", () => {
  it("has one call id, and another call has another", async () => {
    const ids: string[] = [];
    const { call } = asking(async (ctx) => {
      ids.push(ctx.callId);
      for (const message of ["A?", "B?"]) await ctx.elicit(message, consent);
    });
    const second = await call(answer(await call()));
    resultOf(await call(answer(second)));
    await call();
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[3]).not.toBe(ids[0]);
  });

  it("aborts its signal with Unanswered when a round ends open, and not before", async () => {
    const signals: AbortSignal[] = [];
    const { call } = asking(async (ctx) => {
      signals.push(ctx.signal);
      await ctx.elicit("A?", consent).catch((error: unknown) => {
        expect(isUnanswered(error)).toBe(true);
        expect(ctx.signal.aborted).toBe(false);
        throw error;
      });
    });
    resultOf(await call(answer(await call())));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(signals[0]?.reason).toBeInstanceOf(Unanswered);
  });

  it("runs finally blocks in each round", async () => {
    let left = 0;
    const { call } = asking(async (ctx) => {
      try {
        await ctx.elicit("A?", consent);
      } finally {
        left += 1;
      }
    });
    await call(answer(await call()));
    expect(left).toBe(2);
  });

  it("that never asks is over in the tick of its request", () => {
    const { send } = asking(() => "done");
    expect(textOf(send().ended())).toBe("done");
  });
});
