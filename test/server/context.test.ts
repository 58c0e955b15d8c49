import { defineTool, McpError, type McpToolContext, reportTo } from "mcp-headway";
import { marbles, toolCall } from "mcp-headway/testing";
import { interval, take } from "rxjs";
import { describe, expect, it } from "vitest";
import { exchangeOf, observe, resultOf, serverOf } from "./kit.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const toolOf = (handler: (ctx: McpToolContext) => unknown) =>
  defineTool({ name: "t", description: "d", handler: (_, ctx) => handler(ctx) });
const params = { name: "t" };

function contextOf(request: Parameters<typeof observe>[1], known: Parameters<typeof observe>[2] = {}): McpToolContext {
  let seen: McpToolContext | undefined;
  const tool = toolOf((ctx) => {
    seen = ctx;
  });
  observe(serverOf({ tools: [tool] }).server, { params, ...request }, known);
  if (seen === undefined) throw new Error("Expected the handler to run");
  return seen;
}

describe("a context", () => {
  it("says what the request and its carrier know", () => {
    const client = { info: { name: "c", version: "2" }, capabilities: { roots: {} } };
    const ctx = contextOf({ id: "seven" }, { client, principal: { user: "ann" } });
    expect(ctx).toMatchObject({ handlerName: "t", requestId: "seven", client, principal: { user: "ann" } });
  });

  it.each([
    [0, true, true],
    ["", true, true],
    [undefined, true, false],
    [1, false, false],
  ])("with the token %j on a carrier that delivers: %j, listens: %j", (progressToken, deliversProgress, listening) => {
    expect(contextOf({ progressToken }, { deliversProgress }).listening).toBe(listening);
  });

  it("has one call id per call, and another for another", () => {
    const first = contextOf({});
    expect(first.callId).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.callId).toBe(first.callId);
    expect(contextOf({}).callId).not.toBe(first.callId);
  });

  it("has one signal per call, however late it is looked at", () => {
    const ctx = contextOf({});
    expect(ctx.signal).toBe(ctx.signal);
    expect(ctx.signal.aborted).toBe(false);
  });

  it("waits for its carrier's room", async () => {
    let room: () => void = () => undefined;
    const drained = () =>
      new Promise<void>((resolve) => {
        room = resolve;
      });
    const tool = toolOf((ctx) => ctx.drained());
    const { ended } = observe(serverOf({ tools: [tool] }).server, { params }, { drained });
    await tick();
    expect(ended()).toBeUndefined();
    room();
    await tick();
    expect(ended()?.type).toBe("result");
  });
});

describe("progress of a call", () => {
  it("comes from every kind of emitter, on one line", () => {
    const accepted: boolean[] = [];
    const tool = toolOf((ctx) => {
      accepted.push(
        ctx.percentProgress().complete(0.5),
        ctx.countingProgress(3).emit("one"),
        ctx.progress(1, 2, "same"),
      );
      accepted.push(ctx.doubleProgress().emit(1.5), ctx.longProgress(9).emit(2), ctx.phases({ a: 1 }).a.done());
    });
    const { server, diagnostics } = serverOf({ tools: [tool] });
    const { events } = observe(server, { params, progressToken: "p" });
    expect(accepted).toEqual([true, true, false, true, true, false]);
    expect(events.slice(0, -1)).toEqual([
      { type: "progress", progress: 0.5, total: 1 },
      { type: "progress", progress: 1, total: 3, message: "one" },
      { type: "progress", progress: 1.5 },
      { type: "progress", progress: 2, total: 9 },
    ]);
    expect(diagnostics).toMatchObject([{ type: "merged-progress", method: "tools/call", handlerName: "t" }]);
  });

  it("without a token is checked and not sent", () => {
    const tool = toolOf((ctx) => {
      const emitter = ctx.doubleProgress();
      emitter.emit(1);
      emitter.emit(1);
    });
    const { server } = serverOf({ tools: [tool] });
    const { events, ended } = observe(server, { params });
    expect(events).toHaveLength(1);
    expect(resultOf(ended())).toMatchObject({ isError: true });
  });

  it.each<readonly [string, () => unknown]>([
    ["a result", () => "done"],
    ["a tool's failure", () => Promise.reject(new Error("broken"))],
    ["an error", () => Promise.reject(new McpError(-32602, "no"))],
  ])("after its end in %s is dropped with a diagnostic", async (_, end) => {
    const emits: (() => boolean)[] = [];
    const tool = toolOf((ctx) => {
      const emitter = ctx.countingProgress();
      emits.push(() => emitter.emit());
      emitter.emit();
      return end();
    });
    const { server, diagnostics } = serverOf({ tools: [tool] });
    const request = observe(server, { params, progressToken: 1 });
    await request.end;
    expect(emits.map((emit) => emit())).toEqual([false]);
    expect(request.events).toHaveLength(2);
    expect(diagnostics.filter(({ type }) => type === "late-progress")).toMatchObject([{ handlerName: "t" }]);
  });

  it("is paced by the server's cadence unless the tool has its own, and the last value comes before the result", () => {
    const count = (ctx: McpToolContext) => interval(1).pipe(take(6), reportTo(ctx.countingProgress()));
    const paced = toolOf(count);
    const every = defineTool({ name: "every", description: "d", cadence: "every", handler: (_, ctx) => count(ctx) });
    const { server } = serverOf({ tools: [paced, every] }, { cadence: { burst: 2, intervalMs: 50 } });
    marbles(({ expectCall }) => {
      expectCall(server, toolCall("t")).toEmit("-12---(6r|)");
      expectCall(server, toolCall("every")).toEmit("-12345(6r|)");
    });
  });

  it("stays with its own request, also when ids and tokens are the same", async () => {
    const release: (() => void)[] = [];
    const tool = defineTool({
      name: "t",
      description: "d",
      handler: async (_, ctx) => {
        await new Promise<void>((resolve) => release.push(resolve));
        const name = String(ctx.principal);
        ctx.progress(1, 2, name);
        return name;
      },
    });
    const { server } = serverOf({ tools: [tool] });
    const request = { id: 1, params, progressToken: 1 };
    const [ann, bob] = ["ann", "bob"].map((principal) => observe(server, request, { principal }));
    for (const go of release.reverse()) go();
    for (const [observed, name] of [[ann, "ann"] as const, [bob, "bob"] as const]) {
      expect(resultOf(await observed?.end)).toMatchObject({ content: [{ text: name }] });
      expect(observed?.events.slice(0, -1)).toEqual([{ type: "progress", progress: 1, total: 2, message: name }]);
    }
  });
});

describe("a consumer that throws", () => {
  it("never takes down the call, another subscriber or the process, and is reported once", async () => {
    const uncaught: unknown[] = [];
    const collect = (error: unknown) => uncaught.push(error);
    process.on("uncaughtException", collect);
    try {
      const tool = toolOf((ctx) => {
        ctx.progress(1);
        ctx.progress(2);
        return "done";
      });
      const { server, diagnostics } = serverOf({ tools: [tool] });
      let seen = 0;
      server.dispatch({ id: 1, method: "tools/call", params, progressToken: 1 }, exchangeOf()).subscribe(() => {
        seen += 1;
        throw new Error("consumer");
      });
      const other = observe(server, { params, progressToken: 1 });
      expect(seen).toBe(3);
      expect(other.events).toHaveLength(3);
      expect(diagnostics).toMatchObject([{ type: "subscriber-failed", method: "tools/call" }]);
      await tick();
      expect(uncaught).toEqual([]);
    } finally {
      process.off("uncaughtException", collect);
    }
  });
});
