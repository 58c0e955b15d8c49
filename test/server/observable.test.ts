import {
  Cancelled,
  Deadline,
  definePrompt,
  defineTool,
  type Handled,
  type McpToolContext,
  NonIncreasingProgressError,
  type RequestEvent,
  reportTo,
} from "mcp-headway";
import { marbles, toolCall } from "mcp-headway/testing";
import {
  concat,
  finalize,
  ignoreElements,
  map,
  merge,
  NEVER,
  Observable,
  of,
  range,
  take,
  tap,
  throwError,
} from "rxjs";
import { describe, expect, it } from "vitest";
import { errorOf, exchangeOf, observe, resultOf, serverOf } from "./kit.ts";

const toolOf = (handler: (args: object, ctx: McpToolContext) => Handled<unknown>) =>
  defineTool({ name: "t", description: "d", handler });
const progress = (value: number) => ({ type: "progress", progress: value }) as const;
const text = (value: string) => ({ type: "result", result: { content: [{ type: "text", text: value }] } }) as const;
const request = { params: { name: "t" }, progressToken: 1 };
const whole = { id: 1, method: "tools/call", ...request };

describe("an Observable handler", () => {
  it("runs wholly in virtual time, progress and result in one picture", () => {
    marbles(({ cold, expectCall }) => {
      const tool = toolOf((_, ctx) => cold("1-2-3|").pipe(map(Number), reportTo(ctx.doubleProgress()), map(String)));
      const { server } = serverOf({ tools: [tool] }, { cadence: "every" });
      expectCall(server, toolCall("t")).toEmit("1-2-3(r|)", {
        1: progress(1),
        2: progress(2),
        3: progress(3),
        r: text("3"),
      });
    });
  });

  it("is subscribed in the tick of the request", () => {
    let subscribed = false;
    const tool = toolOf(
      () =>
        new Observable<string>(() => {
          subscribed = true;
        }),
    );
    observe(serverOf({ tools: [tool] }).server, request).subscription.unsubscribe();
    expect(subscribed).toBe(true);
  });

  it("is unsubscribed when its subscriber leaves, once", () => {
    let finalized = 0;
    marbles(({ cold, expectCall, expectSubscriptions }) => {
      const source = cold("1-2-3-4|");
      const tool = toolOf((_, ctx) =>
        source.pipe(
          map(Number),
          reportTo(ctx.doubleProgress()),
          finalize(() => finalized++),
        ),
      );
      expectCall(tool, toolCall("t"), { subscription: "^--!" }).toEmit("1-2").toAbort("---!", Cancelled);
      expectSubscriptions(source).toBe("^--!");
    });
    expect(finalized).toBe(1);
  });

  it("is unsubscribed at its deadline", () => {
    marbles(({ cold, expectCall, expectSubscriptions }) => {
      const source = cold("-----------");
      const tool = defineTool({ name: "t", description: "d", timeoutMs: 5, handler: () => source });
      expectCall(tool, toolCall("t"))
        .toEmit("-----(r|)", { r: text("The request did not finish within 5 ms") })
        .toAbort("-----!", Deadline);
      expectSubscriptions(source).toBe("^----!");
    });
  });

  it("whose subscriber leaves in the middle of a synchronous burst is unsubscribed there and then", () => {
    const accepted: boolean[] = [];
    let left = false;
    const tool = toolOf((_, ctx) => {
      const emitter = ctx.longProgress();
      const burst = range(1, 10).pipe(tap((value) => accepted.push(emitter.emit(value))));
      return concat(burst, NEVER).pipe(
        ignoreElements(),
        finalize(() => {
          left = ctx.signal.aborted;
        }),
      );
    });
    const { server } = serverOf({ tools: [tool] }, { cadence: "every" });
    const seen: RequestEvent[] = [];
    server
      .dispatch(whole, exchangeOf())
      .pipe(take(3))
      .subscribe((event) => seen.push(event));
    expect(seen).toEqual([1, 2, 3].map(progress));
    expect(accepted).toEqual([true, true, true]);
    expect(left).toBe(true);
  });

  it("yields its last value", () => {
    const { server } = serverOf({ tools: [toolOf(() => of("a", "b", "c"))] });
    expect(resultOf(observe(server, request).ended())).toMatchObject({ content: [{ text: "c" }] });
  });

  it("yields nothing when it is empty", () => {
    const { server } = serverOf({
      tools: [toolOf((_, ctx) => of(1).pipe(reportTo(ctx.longProgress()), ignoreElements()))],
    });
    const { events, ended } = observe(server, request);
    expect(events).toHaveLength(2);
    expect(resultOf(ended())).toMatchObject({ content: [] });
  });

  it.each([[new Error("broken")], [undefined]])(
    "that errors with %s is a thrown error, after what it said",
    (thrown) => {
      const failing = (ctx: McpToolContext) =>
        concat(
          of(1, 2).pipe(reportTo(ctx.longProgress())),
          throwError(() => thrown),
        );
      const { server, diagnostics } = serverOf({ tools: [toolOf((_, ctx) => failing(ctx))] });
      const { events, ended } = observe(server, request);
      expect(events.map(({ type }) => type)).toEqual(["progress", "progress", "result"]);
      expect(resultOf(ended())).toMatchObject({ isError: true });
      expect(diagnostics).toMatchObject([{ type: "handler-failed", cause: thrown }]);
    },
  );

  it("fails as a tool when a guard stops its stream", () => {
    const { server, diagnostics } = serverOf({
      tools: [toolOf((_, ctx) => of(2, 1).pipe(reportTo(ctx.doubleProgress())))],
    });
    expect(resultOf(observe(server, request).ended())).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("greater than 2") }],
    });
    expect(diagnostics).toMatchObject([{ cause: expect.any(NonIncreasingProgressError) }]);
  });

  it("keeps one line over merged sources, on the wire strictly rising", () => {
    marbles(({ cold, expectCall }) => {
      const values = { a: 0.3, b: 0.7 };
      const tool = toolOf((_, ctx) => {
        const sources = ["-(a|)", "--(a|)", "---(b|)"].map((diagram) => cold(diagram, values));
        return merge(...sources.map((source) => source.pipe(reportTo(ctx.doubleProgress())))).pipe(map(String));
      });
      expectCall(tool, toolCall("t")).toEmit("-a-(br|)", { a: progress(0.3), b: progress(0.7), r: text("0.7") });
    });
  });

  it("stays subscribed while nobody leaves", () => {
    const { server } = serverOf({ tools: [toolOf(() => NEVER)] });
    const { events, ended, subscription } = observe(server, request);
    expect(events).toEqual([]);
    expect(ended()).toBeUndefined();
    subscription.unsubscribe();
  });
});

describe("an Observable prompt", () => {
  it("that errors is an internal error that tells nothing", () => {
    const prompt = definePrompt({ name: "p", handler: () => throwError(() => new Error("secret")) });
    const { server, diagnostics } = serverOf({ prompts: [prompt] });
    const { ended } = observe(server, { method: "prompts/get", params: { name: "p" } });
    expect(errorOf(ended())).toEqual({ code: -32603, message: "Internal error" });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", cause: { message: "secret" } }]);
  });
});
