import {
  Cancelled,
  Deadline,
  Disconnected,
  definePrompt,
  defineResource,
  defineTool,
  type Handled,
  type McpToolContext,
} from "mcp-headway";
import { marbles } from "mcp-headway/testing";
import { firstValueFrom, NEVER, VirtualTimeScheduler } from "rxjs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { errorOf, exchangeOf, observe, resultOf, serverOf } from "./kit.ts";

const toolOf = (handler: (args: object, ctx: McpToolContext) => Handled<unknown>) =>
  defineTool({ name: "t", description: "d", handler });
const request = { params: { name: "t" }, progressToken: 1 };
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A handler that waits to be told how to settle. */
function waiting() {
  const held: { signal?: AbortSignal; settle: (value: unknown) => void; fail: (error: unknown) => void } = {
    settle: () => undefined,
    fail: () => undefined,
  };
  const handler = (_: unknown, ctx: McpToolContext) =>
    new Promise<string>((resolve, reject) => {
      held.signal = ctx.signal;
      held.settle = (value) => resolve(String(value));
      held.fail = reject;
    });
  return { held, tool: toolOf(handler) };
}

const unhandled: unknown[] = [];
const collect = (error: unknown) => unhandled.push(error);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", collect);
});
afterEach(() => {
  process.off("unhandledRejection", collect);
});

describe("a subscriber that leaves", () => {
  it("aborts the signal with Cancelled when nobody says why", () => {
    const { held, tool } = waiting();
    const { subscription } = observe(serverOf({ tools: [tool] }).server, request);
    expect(held.signal?.aborted).toBe(false);
    subscription.unsubscribe();
    expect(held.signal?.reason).toBeInstanceOf(Cancelled);
  });

  it("aborts the signal with what the carrier knows", () => {
    const { held, tool } = waiting();
    const reason = new Disconnected();
    observe(serverOf({ tools: [tool] }).server, { ...request, whyLeft: () => reason }).subscription.unsubscribe();
    expect(held.signal?.reason).toBe(reason);
  });

  it("aborts a signal that is looked at only afterwards", () => {
    let seen: McpToolContext | undefined;
    const tool = toolOf((_, ctx) => {
      seen = ctx;
      return new Promise(() => undefined);
    });
    observe(serverOf({ tools: [tool] }).server, request).subscription.unsubscribe();
    expect(seen?.signal.aborted).toBe(true);
    expect(seen?.signal.reason).toBeInstanceOf(Cancelled);
  });

  it("is noticed by a handler that has not returned yet", async () => {
    let rounds = 0;
    const tool = toolOf((_, ctx) => {
      while (!ctx.signal.aborted && rounds < 1_000) ctx.progress(++rounds);
      return ctx.signal.reason;
    });
    const { server } = serverOf({ tools: [tool] }, { cadence: "every" });
    const call = { id: 1, method: "tools/call", ...request };
    await firstValueFrom(server.dispatch(call, exchangeOf()));
    expect(rounds).toBe(1);
  });

  it("hears nothing more, and a late result or failure makes no noise", async () => {
    const { held, tool } = waiting();
    const { server, diagnostics } = serverOf({ tools: [tool] });
    for (const settle of [() => held.settle("late"), () => held.fail(new Error("late"))]) {
      const { events, subscription } = observe(server, request);
      subscription.unsubscribe();
      settle();
      await tick();
      expect(events).toEqual([]);
    }
    expect(diagnostics).toEqual([]);
    expect(unhandled).toEqual([]);
  });

  it("does not abort the signal of a request that had its result", () => {
    let signal: AbortSignal | undefined;
    const tool = toolOf((_, ctx) => {
      signal = ctx.signal;
    });
    const { subscription, ended } = observe(serverOf({ tools: [tool] }).server, request);
    subscription.unsubscribe();
    expect(ended()?.type).toBe("result");
    expect(signal?.aborted).toBe(false);
  });

  it("leaves other requests alone", () => {
    const signals: AbortSignal[] = [];
    const tool = toolOf((_, ctx) => {
      signals.push(ctx.signal);
      return new Promise(() => undefined);
    });
    const { server } = serverOf({ tools: [tool] });
    const first = observe(server, { ...request, id: 1 });
    const second = observe(server, { ...request, id: 1 });
    first.subscription.unsubscribe();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    second.subscription.unsubscribe();
  });

  it("stops a handler that is still waiting for its arguments to be checked", async () => {
    let ran = false;
    const tool = defineTool({
      name: "t",
      description: "d",
      inputSchema: z.object({}).refine(async () => true),
      handler: () => {
        ran = true;
      },
    });
    const { server } = serverOf({ tools: [tool] });
    await observe(server, request).end;
    expect(ran).toBe(true);
    ran = false;
    observe(server, request).subscription.unsubscribe();
    await tick();
    expect(ran).toBe(false);
  });
});

describe("a deadline", () => {
  const late = (timeoutMs: number, own?: number) => {
    const scheduler = new VirtualTimeScheduler();
    const { held, tool } = waiting();
    const timed =
      own === undefined ? tool : defineTool({ name: "t", description: "d", timeoutMs: own, handler: tool.handler });
    return { ...serverOf({ tools: [timed] }, { scheduler, timeoutMs }), scheduler, held };
  };

  it("ends a tool's call at once with isError, and aborts its signal with Deadline", () => {
    const { server, scheduler, held } = late(50);
    const { ended } = observe(server, request);
    expect(ended()).toBeUndefined();
    scheduler.flush();
    expect(scheduler.now()).toBe(50);
    expect(resultOf(ended())).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("50 ms") }] });
    expect(held.signal?.reason).toBeInstanceOf(Deadline);
    expect(held.signal?.reason).toMatchObject({ timeoutMs: 50 });
  });

  it("of a definition beats the server's", () => {
    const { server, scheduler } = late(50, 7);
    observe(server, request);
    scheduler.flush();
    expect(scheduler.now()).toBe(7);
  });

  it("of a prompt or a resource of its own does so, too", () => {
    const scheduler = new VirtualTimeScheduler();
    const { server } = serverOf(
      {
        prompts: [definePrompt({ name: "p", timeoutMs: 7, handler: () => NEVER })],
        resources: [defineResource({ uri: "a:b", name: "r", timeoutMs: 9, read: () => NEVER })],
      },
      { timeoutMs: 50, scheduler },
    );
    const over: number[] = [];
    for (const [method, params] of [
      ["prompts/get", { name: "p" }],
      ["resources/read", { uri: "a:b" }],
    ] as const) {
      observe(server, { method, params }).subscription.add(() => over.push(scheduler.now()));
    }
    scheduler.flush();
    expect(over).toEqual([7, 9]);
  });

  it.each([
    ["result", (held: ReturnType<typeof late>["held"]) => held.settle("late")],
    ["failure", (held: ReturnType<typeof late>["held"]) => held.fail(new Error("late"))],
  ])("drops a late %s with one diagnostic", async (_, settle) => {
    const { server, scheduler, held, diagnostics } = late(50);
    const { events } = observe(server, request);
    scheduler.flush();
    settle(held);
    await tick();
    expect(events).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ type: "late-result", method: "tools/call", handlerName: "t" }]);
    expect(unhandled).toEqual([]);
  });

  it("takes a handler that stops with the signal's reason for well behaved", async () => {
    const { server, scheduler, held, diagnostics } = late(50);
    observe(server, request);
    scheduler.flush();
    held.fail(held.signal?.reason);
    await tick();
    expect(diagnostics).toEqual([]);
  });

  it("of a prompt or a resource is an internal error", () => {
    const { server } = serverOf(
      {
        prompts: [definePrompt({ name: "p", handler: () => NEVER })],
        resources: [defineResource({ uri: "a:b", name: "r", read: () => NEVER })],
      },
      { timeoutMs: 5 },
    );
    marbles(({ expectCall }) => {
      const e = { type: "error", error: { code: -32603, message: new Deadline(5).message } } as const;
      expectCall(server, { method: "prompts/get", params: { name: "p" } }).toEmit("-----(e|)", { e });
      expectCall(server, { method: "resources/read", params: { uri: "a:b" } }).toEmit("-----(e|)", { e });
    });
  });

  it("leaves no timer behind a call that ended in time, however it ended", async () => {
    vi.useFakeTimers();
    try {
      const { held, tool } = waiting();
      const { server } = serverOf({ tools: [tool, { ...toolOf(() => "now"), name: "u" }] }, { timeoutMs: 60_000 });
      const cancelled = observe(server, request);
      const pending = observe(server, request);
      observe(server, { params: { name: "u" } });
      expect(vi.getTimerCount()).toBe(2);
      cancelled.subscription.unsubscribe();
      held.settle("done");
      await pending.end;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("closing a server", () => {
  const closing = (closeGraceMs?: number) => {
    const scheduler = new VirtualTimeScheduler();
    const { held, tool } = waiting();
    return { ...serverOf({ tools: [tool] }, { scheduler, closeGraceMs }), scheduler, held };
  };

  it("resolves at once when nothing runs, as often as it is asked", async () => {
    const { server } = closing();
    await server.close();
    await server.close();
  });

  it("refuses new requests", async () => {
    const { server } = closing();
    await server.close();
    expect(errorOf(observe(server, request).ended())).toEqual({ code: -32603, message: "The server is closing" });
  });

  it("lets a request in flight finish within its grace", async () => {
    const { server, held, scheduler } = closing();
    const { end } = observe(server, request);
    let done = false;
    const closed = server.close().then(() => {
      done = true;
    });
    await tick();
    expect(done).toBe(false);
    held.settle("finished");
    expect(resultOf(await end)).toMatchObject({ content: [{ text: "finished" }] });
    await closed;
    expect(held.signal?.aborted).toBe(false);
    expect(scheduler.actions.filter(({ closed: gone }) => !gone)).toEqual([]);
  });

  it.each([100, undefined])("ends with an error and aborts what outlives the grace of %s ms", async (graceMs) => {
    const { server, held, scheduler, diagnostics } = closing(graceMs);
    const { ended } = observe(server, request);
    const closed = server.close();
    scheduler.flush();
    await closed;
    expect(scheduler.now()).toBe(graceMs ?? 5_000);
    expect(errorOf(ended())).toEqual({ code: -32603, message: "The server is closing" });
    expect(held.signal?.reason).toBeInstanceOf(Disconnected);
    held.settle("late");
    await tick();
    expect(diagnostics).toMatchObject([{ type: "late-result" }]);
  });
});
