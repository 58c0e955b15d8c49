import {
  definePrompt,
  defineTool,
  type Handled,
  type McpToolContext,
  NonIncreasingProgressError,
  type RequestEvent,
  reportTo,
} from "mcp-headway";
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
  timer,
} from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import { errorOf, exchangeOf, observe, resultOf, serverOf } from "./kit.ts";

const scheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
const toolOf = (handler: (args: object, ctx: McpToolContext) => Handled<unknown>) =>
  defineTool({ name: "t", description: "d", handler });
const progress = (value: number): RequestEvent => ({ type: "progress", progress: value });
const text = (value: string) =>
  expect.objectContaining({
    type: "result",
    result: expect.objectContaining({ content: [{ type: "text", text: value }] }),
  }) as RequestEvent;
const request = { params: { name: "t" }, progressToken: 1 };
const whole = { id: 1, method: "tools/call", ...request };

describe("an Observable handler", () => {
  it("runs wholly in virtual time, progress and result in one picture", () => {
    const time = scheduler();
    time.run(({ cold, expectObservable }) => {
      const tool = toolOf((_, ctx) => cold("1-2-3|").pipe(map(Number), reportTo(ctx.doubleProgress()), map(String)));
      const { server } = serverOf({ tools: [tool] }, { scheduler: time, cadence: "every" });
      expectObservable(server.dispatch(whole, exchangeOf())).toBe("a-b-c(d|)", {
        a: progress(1),
        b: progress(2),
        c: progress(3),
        d: text("3"),
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
    const time = scheduler();
    time.run(({ cold, expectObservable, expectSubscriptions, flush }) => {
      let finalized = 0;
      const source = cold("1-2-3-4|");
      const tool = toolOf((_, ctx) =>
        source.pipe(
          map(Number),
          reportTo(ctx.doubleProgress()),
          finalize(() => finalized++),
        ),
      );
      const { server } = serverOf({ tools: [tool] }, { scheduler: time, cadence: "every" });
      expectObservable(server.dispatch(whole, exchangeOf()), "---!").toBe("a-b", { a: progress(1), b: progress(2) });
      expectSubscriptions(source.subscriptions).toBe("^--!");
      flush();
      expect(finalized).toBe(1);
    });
  });

  it("is unsubscribed at its deadline", () => {
    const time = scheduler();
    time.run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<string>("-----------");
      const { server } = serverOf({ tools: [toolOf(() => source)] }, { scheduler: time, timeoutMs: 5 });
      expectObservable(server.dispatch(whole, exchangeOf())).toBe("-----(a|)", {
        a: text("The request did not finish within 5 ms"),
      });
      expectSubscriptions(source.subscriptions).toBe("^----!");
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
    const time = scheduler();
    time.run(({ expectObservable }) => {
      const tool = toolOf((_, ctx) =>
        merge(
          timer(1).pipe(
            map(() => 0.3),
            reportTo(ctx.doubleProgress()),
          ),
          timer(2).pipe(
            map(() => 0.3),
            reportTo(ctx.doubleProgress()),
          ),
          timer(3).pipe(
            map(() => 0.7),
            reportTo(ctx.doubleProgress()),
          ),
        ).pipe(map(String)),
      );
      const { server } = serverOf({ tools: [tool] }, { scheduler: time });
      expectObservable(server.dispatch(whole, exchangeOf())).toBe("-a-(bc|)", {
        a: progress(0.3),
        b: progress(0.7),
        c: text("0.7"),
      });
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
