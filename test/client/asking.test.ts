import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { lastValueFrom, toArray, VirtualTimeScheduler } from "rxjs";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { connect, type ElicitRequest, type ElicitResult, TooManyRounds } from "../../src/client/index.ts";
import type { McpToolContext } from "../../src/mrtr/index.ts";
import {
  createMcpServer,
  definePrompt,
  defineResource,
  defineTool,
  type ServerOptions,
} from "../../src/server/index.ts";
import { impatient } from "./servable.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const keys = [{ id: "test", secret: new Uint8Array(32).fill(7) }];
const name = z.object({ name: z.string().min(2) });

/** A server with one tool, `t`. */
function serverOf(handler: (ctx: McpToolContext) => unknown, options: ServerOptions = {}) {
  const tool = defineTool({
    name: "t",
    description: "Asks",
    inputSchema: z.looseObject({}),
    handler: (_args, ctx) => handler(ctx),
  });
  return createMcpServer(
    { name: "desk", version: "1.0.0", tools: [tool] },
    { cadence: "every", requestState: { keys }, ...options },
  );
}

const greet = async (ctx: McpToolContext) => {
  const { action, content } = await ctx.elicit("Your name?", name);
  return action === "accept" ? `Hello ${content.name}` : `You said ${action}`;
};
const textOf = (result: { readonly content: readonly unknown[] }) => result.content[0];
const text = (value: string) => ({ type: "text", text: value });
const ann = (): ElicitResult => ({ action: "accept", content: { name: "Ann" } });

describe("a tool that asks", () => {
  it("is answered through `onElicit`, which sees the question as it was asked", async () => {
    const asked: ElicitRequest[] = [];
    const onElicit = (request: ElicitRequest) => {
      asked.push(request);
      return ann();
    };
    expect(textOf(await connect(serverOf(greet), { onElicit }).callTool("t"))).toEqual(text("Hello Ann"));
    const requestedSchema = {
      type: "object",
      properties: { name: { type: "string", minLength: 2 } },
      required: ["name"],
    };
    expect(asked).toEqual([
      { method: "elicitation/create", params: { mode: "form", message: "Your name?", requestedSchema } },
    ]);
  });

  it.each(["decline", "cancel"] as const)("is told of a %s", async (action) => {
    const client = connect(serverOf(greet), { onElicit: () => ({ action }) });
    expect(textOf(await client.callTool("t"))).toEqual(text(`You said ${action}`));
  });

  it("is refused by the server when the client cannot answer, and may be called by one that can", async () => {
    const client = connect(serverOf(greet));
    await expect(client.callTool("t")).rejects.toMatchObject({
      code: -32021,
      message: expect.stringMatching(/does not support .+; give `connect` or the call an `onElicit`$/),
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect(textOf(await client.callTool("t", {}, { onElicit: ann }))).toEqual(text("Hello Ann"));
  });

  it("is told of `onElicit` only when that is what is missing", async () => {
    const tool = defineTool({ name: "t", description: "d", requires: { sampling: {} }, handler: () => "x" });
    const call = connect(createMcpServer({ name: "s", version: "1.0.0", tools: [tool] })).callTool("t");
    await expect(call).rejects.toMatchObject({ code: -32021, message: expect.not.stringContaining("onElicit") });
  });

  it("asks again when the answer does not fit, and says why", async () => {
    const messages: string[] = [];
    const onElicit = ({ params }: ElicitRequest): ElicitResult => {
      messages.push(params.message);
      return { action: "accept", content: { name: messages.length < 2 ? "A" : "Ann" } };
    };
    expect(textOf(await connect(serverOf(greet), { onElicit }).callTool("t"))).toEqual(text("Hello Ann"));
    expect(messages).toEqual(["Your name?", expect.stringMatching(/^Your name\? \(name: .+\)$/)]);
  });

  it("asks again in words of bounded length, whatever the check says of the answer", async () => {
    const messages: string[] = [];
    const echoed = z.object({
      name: z.string().refine((value) => value.length < 9, { error: (issue) => `no: ${issue.input}` }),
    });
    const server = serverOf(async (ctx) => (await ctx.elicit("Your name?", echoed)).content?.name);
    const onElicit = ({ params }: ElicitRequest): ElicitResult => {
      messages.push(params.message);
      return { action: "accept", content: { name: messages.length < 2 ? "A".repeat(100_000) : "Ann" } };
    };
    expect(textOf(await connect(server, { onElicit }).callTool("t"))).toEqual(text("Ann"));
    expect(messages).toEqual(["Your name?", expect.stringMatching(/^Your name\? \(name: no: A{900,1100}…\)$/)]);
  });

  it("asks what it asks at once in one round, and what it asks in turn in several", async () => {
    let runs = 0;
    const server = serverOf(async (ctx) => {
      runs += 1;
      const [a, b] = await Promise.all([ctx.elicit("A?", name), ctx.elicit("B?", name)]);
      const c = await ctx.elicit("C?", name);
      return [a, b, c].map(({ content }) => content?.name).join();
    });
    const onElicit = ({ params }: ElicitRequest): ElicitResult => ({
      action: "accept",
      content: { name: params.message },
    });
    expect(textOf(await connect(server, { onElicit }).callTool("t"))).toEqual(text("A?,B?,C?"));
    expect(runs).toBe(3);
  });

  it("asks what it asks at once in the order of asking, however long a digest takes", async () => {
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    let digests = 0;
    const slowFirst = vi.spyOn(crypto.subtle, "digest").mockImplementation(async (...given) => {
      digests += 1;
      if (digests === 1) await new Promise(setImmediate);
      return digest(...given);
    });
    const messages: string[] = [];
    const server = serverOf(async (ctx) => {
      await Promise.all(["A?", "B?", "C?"].map((message) => ctx.elicit(message, name)));
      return "done";
    });
    const onElicit = ({ params }: ElicitRequest): ElicitResult => {
      messages.push(params.message);
      return { action: "accept", content: { name: "Ann" } };
    };
    expect(textOf(await connect(server, { onElicit }).callTool("t"))).toEqual(text("done"));
    slowFirst.mockRestore();
    expect(messages).toEqual(["A?", "B?", "C?"]);
  });

  it("may ask for samples and roots", async () => {
    const server = serverOf(async (ctx) => {
      const { roots } = await ctx.requestInput({ method: "roots/list" });
      return String(roots[0]?.uri);
    });
    const client = connect(server, {
      capabilities: { roots: {} },
      onInput: ({ method }) => ({ roots: [{ uri: `file:///${method}` }] }),
    });
    expect(textOf(await client.callTool("t"))).toEqual(text("file:///roots/list"));
  });

  it("runs a block once, and fails as ever", async () => {
    let charged = 0;
    const server = serverOf(async (ctx) => {
      await ctx.once("charge", () => {
        charged += 1;
      });
      await greet(ctx);
      throw new Error("no paper");
    });
    server.diagnostics.subscribe();
    const result = await connect(server, { onElicit: ann }).callTool("t");
    expect(result).toMatchObject({ isError: true, content: [text("no paper")] });
    expect(charged).toBe(1);
  });

  it("leaves nothing behind at the server when a hook fails", async () => {
    const server = serverOf(greet);
    const onElicit = () => {
      throw new Error("no terminal");
    };
    const client = connect(server, { onElicit });
    await expect(client.callTool("t")).rejects.toThrow("no terminal");
    expect(textOf(await client.callTool("t", {}, { onElicit: ann }))).toEqual(text("Hello Ann"));
    await server.close();
  });

  it("may be a prompt or a resource", async () => {
    const definition = {
      name: "desk",
      version: "1.0.0",
      prompts: [
        definePrompt({
          name: "p",
          handler: async (_args, ctx) => `Greet ${(await ctx.elicit("Whom?", name)).content?.name}`,
        }),
      ],
      resources: [
        defineResource({
          uri: "about:us",
          name: "about",
          read: async (_uri, _variables, ctx) => `For ${(await ctx.elicit("Who asks?", name)).content?.name}`,
        }),
      ],
    };
    const client = connect(createMcpServer(definition, { requestState: { keys } }), { onElicit: ann });
    const { messages } = await client.getPrompt("p");
    expect(messages).toEqual([{ role: "user", content: text("Greet Ann") }]);
    const { contents } = await client.readResource("about:us");
    expect(contents).toEqual([{ uri: "about:us", text: "For Ann" }]);
  });
});

describe("the progress of a tool that asks", () => {
  const server = serverOf(async (ctx) => {
    ctx.progress(0.2);
    ctx.progress(0.6);
    const { content } = await ctx.elicit("Your name?", name);
    ctx.progress(0.9, 1, content?.name);
    return "ok";
  });

  it("never falls, though the handler runs again from the top", async () => {
    const values: number[] = [];
    await connect(server, { onElicit: ann }).callTool("t", {}, { onProgress: ({ progress }) => values.push(progress) });
    expect(values).toEqual([0.2, 0.6, 0.9]);
  });

  it("is one stream with the question, and ends with the result", async () => {
    const events = await lastValueFrom(connect(server, { onElicit: ann }).streamTool("t").pipe(toArray()));
    expect(events).toEqual([
      { type: "progress", progress: 0.2 },
      { type: "progress", progress: 0.6 },
      {
        type: "elicitation",
        key: expect.any(String),
        request: expect.objectContaining({ params: expect.objectContaining({ message: "Your name?" }) }),
      },
      { type: "progress", progress: 0.9, total: 1, message: "Ann" },
      { type: "result", result: expect.objectContaining({ content: [text("ok")] }) },
    ]);
  });
});

describe("a tool that waits for a page", () => {
  it("takes consent for no more than that, and asks for patience until the page is finished", async () => {
    let runs = 0;
    const server = serverOf(async (ctx) => {
      runs += 1;
      const { action } = await ctx.elicitUrl("Sign in", "https://example.com/sign-in");
      if (action !== "accept") return action;
      if (runs < 5) await ctx.later();
      return "signed in";
    });
    const asked: ElicitRequest[] = [];
    const onElicit = (request: ElicitRequest): ElicitResult => {
      asked.push(request);
      return { action: "accept" };
    };
    const scheduler = impatient();
    expect(textOf(await connect(server, { onElicit, scheduler }).callTool("t"))).toEqual(text("signed in"));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.params).toEqual({ mode: "url", message: "Sign in", url: "https://example.com/sign-in" });
    expect(runs).toBe(5);
    expect(scheduler.pauses).toEqual([250, 500, 1_000]);
  });

  it("is given up at the limit when the page is never finished", async () => {
    let runs = 0;
    const server = serverOf((ctx) => {
      runs += 1;
      return ctx.later();
    });
    const client = connect(server, { scheduler: impatient(), maxRounds: 7 });
    await expect(client.callTool("t")).rejects.toEqual(new TooManyRounds(7));
    expect(runs).toBe(7);
  });
});

describe("the time that a user takes", () => {
  /** Lets so much time pass, and all timers in it fire. */
  const pass = (clock: VirtualTimeScheduler, ms: number): void => {
    clock.maxFrames = clock.frame + ms;
    clock.schedule(() => undefined, ms);
    clock.flush();
  };

  it("counts neither for the client nor for the server", async () => {
    const clock = new VirtualTimeScheduler();
    const aborted: unknown[] = [];
    const server = serverOf(
      (ctx) => {
        ctx.signal.addEventListener("abort", () => aborted.push(ctx.signal.reason));
        return greet(ctx);
      },
      { scheduler: clock, timeoutMs: 1_000 },
    );
    const onElicit = (): ElicitResult => {
      pass(clock, 600_000);
      return ann();
    };
    const client = connect(server, { onElicit, scheduler: clock });
    expect(textOf(await client.callTool("t", {}, { timeoutMs: 1_000 }))).toEqual(text("Hello Ann"));
    expect(clock.now()).toBe(600_000);
    expect(aborted).toMatchObject([{ code: "ERR_UNANSWERED" }]);
  });

  it("gives each round the whole time, and no round more", async () => {
    const clock = new VirtualTimeScheduler();
    let runs = 0;
    const server = serverOf(async (ctx) => {
      runs += 1;
      await greet(ctx);
      pass(clock, 900);
      await ctx.elicit("Sure?", name);
      pass(clock, 900);
      if (runs > 3) pass(clock, 900);
      return "ok";
    });
    const client = connect(server, { onElicit: ann, scheduler: clock });
    // The third run passes both: 1,800 ms in one round.
    await expect(client.callTool("t", {}, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: "ERR_DEADLINE" });
    runs = 0;
    expect(textOf(await client.callTool("t", {}, { timeoutMs: 2_000 }))).toEqual(text("ok"));
  });
});

describe("a call of 10,000 rounds", () => {
  it("needs the memory and the stack of one", { timeout: 120_000 }, async () => {
    const rounds = 10_000;
    const heap: number[] = [];
    let runs = 0;
    const server = serverOf(async (ctx) => {
      runs += 1;
      if (runs % 1_000 === 0) {
        collectGarbage();
        heap.push(process.memoryUsage().heapUsed);
      }
      if (runs === rounds) return "at last";
      // An answer that does not fit is asked for again.
      return runs % 2 === 0 ? ctx.later() : ctx.elicit("Again?", name, { key: "again" });
    });
    const client = connect(server, {
      maxRounds: rounds,
      scheduler: impatient(),
      onElicit: () => ({ action: "accept", content: {} }),
    });
    const { signal } = new AbortController();
    const result = await client.callTool("t", {}, { onProgress: () => undefined, signal });
    expect(textOf(result)).toEqual(text("at last"));
    expect(runs).toBe(rounds);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // The first rounds leave compiled code. Of the 7,000 after them, one that left only its id and an observer
    // would leave 500 bytes, 3.5 MB in all.
    const [, , warm = 0] = heap;
    expect((heap.at(-1) ?? 0) - warm).toBeLessThan(1_000_000);
  });
});
