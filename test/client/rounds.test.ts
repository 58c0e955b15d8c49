import { getEventListeners } from "node:events";
import { lastValueFrom, toArray } from "rxjs";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import {
  type CallOptions,
  connect,
  type ElicitRequest,
  type ElicitResult,
  MalformedResult,
  type QuestionInfo,
  type RequestOptions,
  type ToolEvent,
  TooManyRounds,
} from "../../src/client/index.ts";
import { Cancelled, Disconnected } from "../../src/errors.ts";
import type { RequestEvent } from "../../src/events/index.ts";
import { done, form, impatient, inputRequired, progress, scriptedServer } from "./servable.ts";

const accept = (content: object = {}): ElicitResult => ({ action: "accept", content });
const asking = (key = "q") => inputRequired({ inputRequests: { [key]: form("Name?") }, requestState: "s" });
const later = inputRequired({ requestState: "s" });

/** What a request holds beside its `_meta`. */
const own = ({ params: { _meta, ...rest } }: { readonly params: Readonly<Record<string, unknown>> }) => rest;

/** A hook that leaves its question open; resolves when it is asked. */
function openQuestion() {
  let onAsked: (info: QuestionInfo) => void = () => undefined;
  const asked = new Promise<QuestionInfo>((resolve) => {
    onAsked = resolve;
  });
  let settle: (answer: ElicitResult) => void = () => undefined;
  const onElicit = (_request: ElicitRequest, info: QuestionInfo) => {
    onAsked(info);
    return new Promise<ElicitResult>((resolve) => {
      settle = resolve;
    });
  };
  return { asked, onElicit, answer: (answer: ElicitResult) => settle(answer) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => vi.useRealTimers());

describe("a retry", () => {
  it("has a new id, the same params, the answers, and the state as it came", async () => {
    const state = 'a\u2028b\u00e9\ud800{"x":1} ';
    const server = scriptedServer(
      [inputRequired({ inputRequests: { a: form("A?"), b: form("B?") }, requestState: state })],
      [done],
    );
    const client = connect(server, { onElicit: ({ params }) => accept({ text: params.message }) });
    expect(await client.callTool("t", { rows: 3 })).toEqual({ content: [] });
    const [first, second] = server.seen;
    expect(server.seen.map(({ id, method }) => [id, method])).toEqual([
      [1, "tools/call"],
      [2, "tools/call"],
    ]);
    expect(first && own(first)).toStrictEqual({ name: "t", arguments: { rows: 3 } });
    expect(second && own(second)).toStrictEqual({
      name: "t",
      arguments: { rows: 3 },
      inputResponses: { a: accept({ text: "A?" }), b: accept({ text: "B?" }) },
      requestState: state,
    });
  });

  it("has no state when the last result had none, and no answers when it asked nothing", async () => {
    const server = scriptedServer(
      [inputRequired({ inputRequests: { a: form("A?") }, requestState: "one" })],
      [inputRequired({ inputRequests: { b: form("B?") } })],
      [inputRequired({ requestState: "" })],
      [done],
    );
    await connect(server, { onElicit: () => accept(), scheduler: impatient() }).callTool("t");
    expect(server.seen.map(own)).toStrictEqual([
      { name: "t" },
      { name: "t", inputResponses: { a: accept() }, requestState: "one" },
      { name: "t", inputResponses: { b: accept() } },
      { name: "t", requestState: "" },
    ]);
  });

  it("repeats the params as they were sent, whatever became of them", async () => {
    const server = scriptedServer([asking()], [done]);
    const args = { rows: [1] };
    const onElicit = () => {
      args.rows.push(2);
      return accept();
    };
    await connect(server).callTool("t", args, { onElicit });
    expect(args).toEqual({ rows: [1, 2] });
    expect(server.seen[1]?.params.arguments).toEqual({ rows: [1] });
  });

  it("says the same of its client, and has a token of its own", async () => {
    const server = scriptedServer([asking()], [done], [done]);
    const client = connect(server);
    await client.callTool("t", {}, { onElicit: () => accept(), onProgress: () => undefined });
    const [first, second] = server.seen.map(({ params: { _meta }, progressToken }) => [_meta, progressToken] as const);
    const capabilities = "io.modelcontextprotocol/clientCapabilities";
    expect(first?.[0]).toMatchObject({ [capabilities]: { elicitation: { form: {}, url: {} } } });
    expect(second?.[0]).toEqual({ ...(first?.[0] as object), progressToken: second?.[1] });
    expect(second?.[1]).not.toBe(first?.[1]);
  });

  it.each(["__proto__", "constructor", "7"])("answers a question that is called %s", async (key) => {
    const server = scriptedServer([asking(key)]);
    const keys: string[] = [];
    const onElicit = (_request: ElicitRequest, info: QuestionInfo) => {
      keys.push(info.key);
      return accept({ key });
    };
    await expect(connect(server, { onElicit, maxRounds: 2 }).callTool("t")).rejects.toBeInstanceOf(TooManyRounds);
    expect(keys).toEqual([key]);
    expect(Object.entries(server.seen[1]?.params.inputResponses ?? {})).toEqual([[key, accept({ key })]]);
  });
});

describe("the questions of a round", () => {
  it("are asked in order, each when the one before is answered", async () => {
    const server = scriptedServer([inputRequired({ inputRequests: { b: form("B?"), a: form("A?") } })], [done]);
    const order: string[] = [];
    const onElicit = async ({ params }: ElicitRequest, { key }: QuestionInfo) => {
      order.push(`${key}: ${params.message}`);
      await turn();
      order.push(`${key} is answered`);
      return accept();
    };
    await connect(server, { onElicit }).callTool("t");
    expect(order).toEqual(["b: B?", "b is answered", "a: A?", "a is answered"]);
  });

  it.each(["decline", "cancel"] as const)("may be answered with %s, and the others are still asked", async (action) => {
    const server = scriptedServer([inputRequired({ inputRequests: { a: form("A?"), b: form("B?") } })], [done]);
    const onElicit = (_request: ElicitRequest, { key }: QuestionInfo) => (key === "a" ? { action } : accept());
    expect(await connect(server, { onElicit }).callTool("t")).toEqual({ content: [] });
    expect(server.seen[1]?.params.inputResponses).toEqual({ a: { action }, b: accept() });
  });

  it("go to `onInput` when they are not for the user", async () => {
    const inputRequests = {
      s: { method: "sampling/createMessage", params: { maxTokens: 1 } },
      r: { method: "roots/list" },
    };
    const server = scriptedServer([inputRequired({ inputRequests })], [done]);
    const client = connect(server, {
      capabilities: { sampling: {}, roots: {} },
      onInput: ({ method, params }) => ({ method, params }),
    });
    await client.callTool("t");
    expect(server.seen[1]?.params.inputResponses).toEqual(inputRequests);
  });

  it.each([
    ["onElicit", form("A?")],
    ["onInput", { method: "roots/list" }],
  ])("reject the call when there is no `%s`", async (name, request) => {
    const server = scriptedServer([inputRequired({ inputRequests: { a: request } })]);
    const call = connect(server).callTool("t");
    await expect(call).rejects.toThrow(new TypeError(`Expected \`${name}\` to answer ${request.method}, got none`));
    expect(server.seen).toHaveLength(1);
  });

  it.each([undefined, null, "yes", true])("reject the call when the answer is %j", async (answer) => {
    const server = scriptedServer([asking()], [done]);
    const onElicit = () => answer as unknown as ElicitResult;
    await expect(connect(server, { onElicit }).callTool("t")).rejects.toThrow(
      new TypeError(
        `Expected the answer to elicitation/create to be an object, got ${answer === null ? "null" : typeof answer}`,
      ),
    );
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no terminal");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("no terminal");
      },
    ],
  ])("reject the call with what a hook %s", async (_how, onElicit) => {
    const server = scriptedServer([inputRequired({ inputRequests: { a: form("A?"), b: form("B?") } })], [done]);
    const hook = vi.fn<(request: ElicitRequest) => ElicitResult | Promise<ElicitResult>>(onElicit);
    const { signal } = new AbortController();
    const client = connect(server);
    const options = { onElicit: hook, signal };
    await expect(client.callTool("t", {}, options)).rejects.toEqual(new Error("no terminal"));
    expect(hook).toHaveBeenCalledTimes(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(server.seen).toHaveLength(1);
    // The client goes on.
    expect(await client.callTool("t")).toEqual({ content: [] });
  });

  it("go to the call's own hook, else to the client's", async () => {
    const asked: string[] = [];
    const hook = (name: string) => () => {
      asked.push(name);
      return accept();
    };
    const call = (options?: CallOptions) =>
      connect(scriptedServer([asking()], [done]), { onElicit: hook("client") }).callTool("t", {}, options);
    await call();
    await call({ onElicit: hook("call") });
    await call({ onElicit: undefined });
    expect(asked).toEqual(["client", "call", "client"]);
  });
});

describe("the capabilities of a call", () => {
  const onElicit = () => accept();
  it.each([
    ["nothing by default", {}, {}, {}],
    ["forms and URLs when the client can answer", { onElicit }, {}, { elicitation: { form: {}, url: {} } }],
    ["forms and URLs when the call can answer", {}, { onElicit }, { elicitation: { form: {}, url: {} } }],
    [
      "what else the client says",
      { onElicit, capabilities: { roots: {} } },
      {},
      { elicitation: { form: {}, url: {} }, roots: {} },
    ],
    [
      "what the client says of elicitation instead",
      { onElicit, capabilities: { elicitation: { form: {} } } },
      { onElicit },
      { elicitation: { form: {} } },
    ],
    ["no elicitation when the client says so", { onElicit, capabilities: { elicitation: undefined } }, {}, {}],
  ])("are %s", async (_what, clientOptions, callOptions, capabilities) => {
    const server = scriptedServer([done]);
    await connect(server, clientOptions).callTool("t", {}, callOptions);
    const meta = server.seen[0]?.params._meta as Record<string, unknown>;
    expect(meta["io.modelcontextprotocol/clientCapabilities"]).toEqual(capabilities);
  });
});

describe("a state without a question", () => {
  it("is sent back as it came, three times, and then there is the result", async () => {
    const server = scriptedServer([later], [later], [later], [done]);
    expect(await connect(server, { scheduler: impatient() }).callTool("t")).toEqual({ content: [] });
    expect(server.seen.map(({ id, params: { requestState } }) => [id, requestState])).toEqual([
      [1, undefined],
      [2, "s"],
      [3, "s"],
      [4, "s"],
    ]);
  });

  it("is sent back after a pause that doubles up to a limit, and starts over after a question", async () => {
    const pauses = async (options: object, ...rounds: RequestEvent[][]) => {
      const scheduler = impatient();
      await connect(scriptedServer(...rounds), { ...options, scheduler, onElicit: () => accept() }).callTool("t");
      return scheduler.pauses;
    };
    const nine = Array.from({ length: 9 }, () => [later]);
    expect(await pauses({}, ...nine, [done])).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    const pacing = { firstMs: 3, longestMs: 5 };
    expect(await pauses({ pacing }, [later], [later], [later], [asking()], [later], [done])).toEqual([3, 5, 5, 3]);
    expect(await pauses({}, [inputRequired({ inputRequests: {}, requestState: "s" })], [done])).toEqual([250]);
    expect(await pauses({}, [asking()], [done])).toEqual([]);
  });

  it("waits in real time by default, and leaves no timer", async () => {
    vi.useFakeTimers();
    const server = scriptedServer([later], [done]);
    const call = connect(server).callTool("t");
    await vi.advanceTimersByTimeAsync(249);
    expect(server.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual({ content: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ["its signal aborts", "enough", (controller: AbortController) => controller.abort("enough")],
    [
      "the client closes",
      new Disconnected("The client was closed"),
      (_controller: AbortController, close: () => void) => close(),
    ],
  ])("is not sent back when %s during the pause", async (_how, reason, leave) => {
    vi.useFakeTimers();
    const server = scriptedServer([later], [done]);
    const client = connect(server);
    const controller = new AbortController();
    const outcome = expect(client.callTool("t", {}, { signal: controller.signal })).rejects.toEqual(reason);
    await vi.advanceTimersByTimeAsync(100);
    leave(controller, () => client.close());
    await outcome;
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.seen).toHaveLength(1);
  });

  it("is not sent back when its subscriber leaves during the pause", async () => {
    vi.useFakeTimers();
    const server = scriptedServer([later], [done]);
    const subscription = connect(server).streamTool("t").subscribe();
    await vi.advanceTimersByTimeAsync(100);
    subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
    expect(server.seen).toHaveLength(1);
  });
});

describe("a call that never gets its result", () => {
  it.each([
    ["questions", asking(), 2, "Name?"],
    ["state", later, 0, undefined],
  ])("ends at the limit of rounds when it is %s for ever", async (_what, round, asked, last) => {
    const server = scriptedServer([round]);
    const onElicit = vi.fn(() => accept());
    const client = connect(server, { onElicit, maxRounds: 3, scheduler: impatient() });
    await expect(client.callTool("t")).rejects.toEqual(new TooManyRounds(3, last));
    expect(server.seen).toHaveLength(3);
    // Nobody is asked for what will not be sent.
    expect(onElicit).toHaveBeenCalledTimes(asked);
    expect(new TooManyRounds(3)).toMatchObject({ code: "ERR_TOO_MANY_ROUNDS", maxRounds: 3 });
    expect(new TooManyRounds(3).message).toMatch(/3 rounds, the client's `maxRounds`$/);
  });

  it("says what was asked last, which says why the answer before was refused", async () => {
    const question = form("How many? (count: expected a number)");
    const server = scriptedServer([inputRequired({ inputRequests: { q: question }, requestState: "s" })]);
    const call = connect(server, { onElicit: () => accept(), maxRounds: 3 }).callTool("t");
    await expect(call).rejects.toThrow(
      "3 rounds, the client's `maxRounds`; the last one asked: How many? (count: expected a number)",
    );
  });

  it("may take 100 rounds by default, the last of which may bring the result", async () => {
    const rounds = (count: number) => Array.from({ length: count }, () => [asking()]);
    const onElicit = () => accept();
    expect(await connect(scriptedServer(...rounds(99), [done]), { onElicit }).callTool("t")).toEqual({ content: [] });
    const call = connect(scriptedServer(...rounds(100), [done]), { onElicit }).callTool("t");
    await expect(call).rejects.toEqual(new TooManyRounds(100, "Name?"));
  });

  it("ends when a result asks nothing and carries nothing", async () => {
    const server = scriptedServer([inputRequired({})]);
    const call = connect(server).callTool("t");
    await expect(call).rejects.toBeInstanceOf(MalformedResult);
    await expect(call).rejects.toMatchObject({ code: "ERR_MALFORMED_RESULT", message: /inputRequests.*requestState/ });
    expect(server.seen).toHaveLength(1);
  });

  it("ends with a result of a type that is not known; none means complete", async () => {
    const typed = (resultType: unknown) => scriptedServer([{ type: "result", result: { content: [], resultType } }]);
    await expect(connect(typed("task")).callTool("t")).rejects.toBeInstanceOf(MalformedResult);
    for (const known of ["complete", undefined]) {
      expect(await connect(typed(known)).callTool("t")).toMatchObject({ content: [] });
    }
  });

  it.each([0, -1, Number.NaN])("cannot be given %d rounds, or as many requests in flight", (maxRounds) => {
    expect(() => connect(scriptedServer([done]), { maxRounds })).toThrow(RangeError);
    expect(() => connect(scriptedServer([done]), { maxInFlight: maxRounds })).toThrow(RangeError);
    expect(() => connect(scriptedServer([done]), { maxRounds: 1, maxInFlight: 1 })).not.toThrow();
  });

  it.each([
    { firstMs: 0, longestMs: 1 },
    { firstMs: Number.NaN, longestMs: 1 },
    { firstMs: 2, longestMs: 1 },
    { firstMs: 1, longestMs: 2 ** 31 },
  ])("cannot be paced by %j", (pacing) => {
    expect(() => connect(scriptedServer([done]), { pacing })).toThrow(RangeError);
    expect(() => connect(scriptedServer([done]), { pacing: { firstMs: 1, longestMs: 1 } })).not.toThrow();
  });
});

describe("a question that nobody waits for any more", () => {
  it("is told so, with the reason of the call's signal", async () => {
    const server = scriptedServer([asking()], [done]);
    const controller = new AbortController();
    const { asked, onElicit, answer } = openQuestion();
    const call = connect(server, { onElicit }).callTool("t", {}, { signal: controller.signal });
    const { signal } = await asked;
    expect(signal.aborted).toBe(false);
    controller.abort("enough");
    await expect(call).rejects.toBe("enough");
    expect(signal.reason).toBe("enough");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    answer(accept());
    await turn();
    expect(server.seen).toHaveLength(1);
  });

  it("is told so when the client closes", async () => {
    const { asked, onElicit } = openQuestion();
    const client = connect(scriptedServer([asking()], [done]), { onElicit });
    const call = client.callTool("t");
    const { signal } = await asked;
    client.close();
    await expect(call).rejects.toEqual(new Disconnected("The client was closed"));
    expect(signal.reason).toBeInstanceOf(Disconnected);
  });

  it("is told so when the stream's subscriber leaves", async () => {
    const server = scriptedServer([asking()], [done]);
    const { asked, onElicit, answer } = openQuestion();
    const events: ToolEvent[] = [];
    const subscription = connect(server)
      .streamTool("t", {}, { onElicit })
      .subscribe((event) => events.push(event));
    const { signal } = await asked;
    subscription.unsubscribe();
    expect(signal.reason).toBeInstanceOf(Cancelled);
    answer(accept());
    await turn();
    expect(events.map(({ type }) => type)).toEqual(["elicitation"]);
    expect(server.seen).toHaveLength(1);
  });

  it("is not even asked when the call ends as the stream shows it", async () => {
    const controller = new AbortController();
    const onElicit = vi.fn(() => accept());
    const stream = connect(scriptedServer([asking()], [done])).streamTool(
      "t",
      {},
      { onElicit, signal: controller.signal },
    );
    const outcome = new Promise((_resolve, reject) => {
      stream.subscribe({ next: () => controller.abort("enough"), error: reject });
    });
    await expect(outcome).rejects.toBe("enough");
    expect(onElicit).not.toHaveBeenCalled();
  });

  it("may fail as it likes: nobody hears of it", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const controller = new AbortController();
    const onElicit = (_request: ElicitRequest, { signal }: QuestionInfo) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("dialog closed")));
        queueMicrotask(() => controller.abort("enough"));
      });
    const call = connect(scriptedServer([asking()])).callTool("t", {}, { onElicit, signal: controller.signal });
    await expect(call).rejects.toBe("enough");
    await turn();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("is the hook's own doing when that closes the client", async () => {
    const server = scriptedServer([asking()], [done]);
    const client = connect(server, {
      onElicit: () => {
        client.close();
        return accept();
      },
    });
    await expect(client.callTool("t")).rejects.toBeInstanceOf(Disconnected);
    expect(server.seen).toHaveLength(1);
  });

  it("is not one that was answered", async () => {
    const signals: AbortSignal[] = [];
    const onElicit = (_request: ElicitRequest, { signal }: QuestionInfo) => {
      signals.push(signal);
      return accept();
    };
    await connect(scriptedServer([asking()], [done]), { onElicit }).callTool("t");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe("the rounds of a call", () => {
  const rounds = [
    [progress(1), progress(3), asking()],
    [progress(2), progress(3), progress(4), asking()],
    [progress(1), progress(5), done],
  ] as const;

  it("are one increasing line of progress", async () => {
    const values: number[] = [];
    const onProgress = (update: { progress: number }) => values.push(update.progress);
    const client = connect(scriptedServer(...rounds), { onElicit: () => accept() });
    await client.callTool("t", {}, { onProgress });
    expect(values).toEqual([1, 3, 4, 5]);
    // Another call starts its own.
    await client.callTool("t", {}, { onProgress });
    expect(values.slice(4)).toEqual([1, 5]);
  });

  it("are one stream, with the questions in their place", async () => {
    const order: unknown[] = [];
    const onElicit = () => {
      order.push("asked");
      return accept();
    };
    const stream = connect(scriptedServer(...rounds)).streamTool("t", {}, { onElicit });
    await new Promise<void>((resolve) => {
      stream.subscribe({ next: (event) => order.push(event), complete: resolve });
    });
    const question = { type: "elicitation", key: "q", request: form("Name?") };
    expect(order).toEqual([
      progress(1),
      progress(3),
      question,
      "asked",
      progress(4),
      question,
      "asked",
      progress(5),
      done,
    ]);
  });

  it("start over with each subscription", async () => {
    const server = scriptedServer([asking()], [done], [asking()], [done]);
    const stream = connect(server, { onElicit: () => accept() }).streamTool("t");
    for (let i = 0; i < 2; i++) {
      const events = await lastValueFrom(stream.pipe(toArray()));
      expect(events.map(({ type }) => type)).toEqual(["elicitation", "result"]);
    }
    expect(server.seen.map(({ params: { requestState } }) => requestState)).toEqual([undefined, "s", undefined, "s"]);
  });

  it("are joined for prompts and resources as well, and for a single request not", async () => {
    const server = () => scriptedServer([asking()], [done]);
    const options = { onElicit: () => accept() };
    expect(await connect(server(), options).getPrompt("p")).toEqual({ content: [] });
    expect(await connect(server(), options).readResource("a:b")).toEqual({ content: [] });
    const single = await connect(server(), options).request("tools/call", { name: "t" });
    expect(single).toEqual({
      resultType: "input_required",
      inputRequests: { q: form("Name?") },
      requestState: "s",
    });
  });

  it("have types", () => {
    const client = connect(scriptedServer([done]));
    void client.callTool("t", {}, { onElicit: ({ params }) => ({ action: "accept", content: { a: params.message } }) });
    void client.callTool("t", {}, { onElicit: async () => ({ action: "decline" }) });
    void client.callTool(
      "t",
      {},
      {
        onElicit: ({ params }) => {
          if (params.mode === "url") expectTypeOf(params.url).toEqualTypeOf<string>();
          else expectTypeOf(params.requestedSchema.type).toEqualTypeOf<"object">();
          return { action: "cancel" };
        },
      },
    );
    // @ts-expect-error an answer has one of three actions
    void client.callTool("t", {}, { onElicit: () => ({ action: "maybe" }) });
    expectTypeOf<RequestOptions>().not.toHaveProperty("onElicit");
    type Asked = Extract<ToolEvent, { type: "elicitation" }>;
    expectTypeOf<Extract<Asked["request"], { method: "elicitation/create" }>>().toEqualTypeOf<ElicitRequest>();
  });
});
