import {
  Cancelled,
  createMcpServer,
  Deadline,
  Disconnected,
  defineTool,
  type Handled,
  type McpToolContext,
  reportTo,
  type ToolOptions,
} from "mcp-headway";
import { asyncScheduler, concatMap, from, interval, map, merge, NEVER, of, timer } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Dispatch, RequestEvent } from "../../src/events/index.ts";
import { type CallExpectation, marbles, toolCall } from "../../src/testing/index.ts";

type Options = Partial<ToolOptions<z.ZodType, undefined>>;
const toolOf = (handler: (ctx: McpToolContext) => Handled<unknown>, options: Options = {}) =>
  defineTool({ name: "t", description: "d", ...options, handler: (_, ctx) => handler(ctx) });
const call = toolCall("t");
const progress = (value: number, total?: number) =>
  ({ type: "progress", progress: value, ...(total !== undefined && { total }) }) as const;

describe("a call in virtual time", () => {
  it("is one picture: a source, what the handler reports of it, and the result", () => {
    marbles(({ cold, expectCall, expectSubscriptions }) => {
      const source = cold("-a-b-(c|)");
      const tool = toolOf((ctx) => source.pipe(reportTo(ctx.countingProgress(3))));
      expectCall(tool, call).toEmit("-1-2-(3r|)", {
        1: progress(1, 3),
        2: progress(2, 3),
        3: progress(3, 3),
        r: { type: "result", result: { content: [{ type: "text", text: "c" }] } },
      });
      expectSubscriptions(source).toBe("^----!");
    });
  });

  it("is paced by the cadence and cut by the deadline of a server that was made with the real clock", () => {
    const paced = toolOf((ctx) => interval(2).pipe(reportTo(ctx.countingProgress())), {
      cadence: { burst: 1, intervalMs: 5 },
      timeoutMs: 13,
    });
    const server = createMcpServer({ name: "s", version: "1", tools: [paced] });
    marbles(({ expectCall }) => {
      expectCall(server, call).toEmit("--1----3----6(r|)", { r: { type: "result", result: { isError: true } } });
    });
  });

  it("is paced by the clock of the test where a server is given another", () => {
    marbles(({ cold, scheduler, expectCall }) => {
      const tool = toolOf((ctx) => cold("(abc)--|").pipe(reportTo(ctx.countingProgress())));
      const server = createMcpServer(
        { name: "s", version: "1", tools: [tool] },
        { scheduler, cadence: { burst: 1, intervalMs: 4 } },
      );
      expectCall(server, call).toEmit("1---3--(r|)");
    });
  });

  it("asks for no progress without a token, and hears none where it cannot be delivered", () => {
    marbles(({ cold, expectCall }) => {
      const tool = toolOf((ctx) => cold("-a-b|").pipe(reportTo(ctx.countingProgress())));
      expectCall(tool, toolCall("t", {}, { progressToken: null })).toEmit("----(r|)");
      expectCall(tool, call, { deliversProgress: false }).toEmit("----(r|)");
      expectCall(tool, toolCall("t", {}, { progressToken: 0 })).toEmit("-1-2(r|)");
    });
  });

  it("tells the handler who its client is", () => {
    const tool = toolOf(({ principal, client }) => of({ principal, client }));
    const client = { clientInfo: { name: "c", version: "1" }, capabilities: { roots: {} } };
    marbles(({ expectCall }) => {
      const seen = { principal: "ann", client: { info: client.clientInfo, capabilities: client.capabilities } };
      expectCall(tool, call, { ...client, principal: "ann" }).toEmit("(r|)", {
        r: { type: "result", result: { structuredContent: seen } },
      });
    });
  });

  it("ends in the error that the server answers with", () => {
    marbles(({ expectCall }) => {
      expectCall(
        toolOf(() => NEVER),
        toolCall("unknown"),
      ).toEmit("(e|)", { e: { type: "error", error: { code: -32602 } } });
    });
  });
});

describe("a client in virtual time", () => {
  it("comes and leaves when its diagram says so, and the handler's signal aborts with its reason", () => {
    marbles(({ cold, expectCall, expectSubscriptions }) => {
      const source = cold("-a-b-c|");
      const tool = toolOf((ctx) => source.pipe(reportTo(ctx.countingProgress())));
      const reason = new Disconnected();
      expectCall(tool, call, { subscription: "--^--!", reason }).toEmit("---1").toAbort("-----!", Disconnected);
      expectCall(tool, call, { subscription: "^-!" }).toEmit("-1").toAbort("--!", Cancelled);
      expectCall(createMcpServer({ name: "s", version: "1", tools: [tool] }), call, { subscription: "^---!" })
        .toEmit("-1-2")
        .toAbort("----!", Cancelled);
      expectCall(tool, call).toEmit("-1-2-3(r|)").toAbort("");
      expectSubscriptions(source).toBe(["^-!", "^---!", "^-----!", "--^--!"]);
    });
  });

  it("sees the deadline of a tool as its signal", () => {
    marbles(({ cold, expectCall }) => {
      expectCall(
        toolOf(() => cold("----------a|"), { timeoutMs: 5 }),
        call,
      )
        .toEmit("-----(r|)")
        .toAbort("-----!", Deadline);
    });
  });

  it("has room when its diagram says so, for who waits or for who comes next", () => {
    const tool = toolOf((ctx) => {
      const emitter = ctx.countingProgress();
      return from(["a", "b", "c", "d"]).pipe(
        concatMap((row) => from(ctx.drained()).pipe(map(() => row))),
        reportTo(emitter),
      );
    });
    marbles(({ expectCall }) => {
      expectCall(tool, call, { room: "r--r--r-r" }).toEmit("1--2--3-(4r|)");
      expectCall(tool, call, { room: "--rr--(rr)" }).toEmit("--12--(34r|)");
      expectCall(tool, call).toEmit("(1234r|)");
      expectCall(tool, call, { room: "r--r", subscription: "^-------!" }).toEmit("1--2");
    });
  });

  it("has its room back when the call is over", async () => {
    let drained: Promise<void> | undefined;
    const tool = toolOf((ctx) => {
      drained = ctx.drained();
      return NEVER;
    });
    marbles(({ cold, expectCall }) => {
      expectCall(tool, call, { room: "-", subscription: "^-!" }).toAbort("--!");
      expectCall(
        toolOf(() => cold("-|")),
        call,
      ).toEmit("-(r|)");
    });
    expect(await drained).toBeUndefined();
  });

  it("of 2025 is asked, and its answer lets time count again", () => {
    const named = z.object({ name: z.string() });
    const asks = toolOf((ctx) => merge(timer(2), from(ctx.elicit("Who?", named))), { timeoutMs: 5 });
    const client = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } };
    marbles(({ expectCall }) => {
      const who = { type: "elicitation", request: { params: { message: "Who?" } } } as const;
      expectCall(asks, call, { ...client, answers: "----------a" }).toEmit("q--------------(r|)", { q: who });
      expectCall(asks, call, { ...client, subscription: "^------------!" })
        .toEmit("q")
        .toAbort("-------------!");
    });
  });

  it("answers each question of a bare port in turn", () => {
    marbles(({ cold, expectCall }) => {
      const answered: unknown[] = [];
      const question = { type: "elicitation", key: "k", request: { method: "elicitation/create" } } as const;
      const dispatch: Dispatch = () =>
        cold("-a-b-----(r|)", {
          a: { ...question, answer: (response) => answered.push(["a", response]) },
          b: { ...question, answer: (response) => answered.push(["b", response]) },
          r: { type: "result", result: { answered } },
        });
      expectCall(dispatch, { method: "any" }, { answers: "----x--y", answerValues: { x: 1 } }).toEmit("-q-q-----(r|)", {
        r: {
          type: "result",
          result: {
            answered: [
              ["a", 1],
              ["b", { action: "decline" }],
            ],
          },
        },
      });
    });
  });
});

it("the clock is the real one again afterwards, whether the test passed or not", () => {
  const before = asyncScheduler.now();
  marbles(
    ({ expectCall }) =>
      void expectCall(
        toolOf(() => timer(5)),
        call,
      ).toEmit("-----(r|)"),
  );
  expect(asyncScheduler.now()).toBeGreaterThanOrEqual(before);
  expect(() =>
    marbles(
      ({ expectCall }) =>
        void expectCall(
          toolOf(() => timer(5)),
          call,
        ).toEmit("(r|)"),
    ),
  ).toThrow();
  expect(asyncScheduler.now()).toBeGreaterThanOrEqual(before);
});

it("infers the values of a source", () => {
  marbles(({ cold, hot, expectCall }) => {
    const rows = cold("a|", { a: { row: 1 } });
    expectTypeOf(rows.pipe(map(({ row }) => row))).toEqualTypeOf(of(1));
    expectTypeOf(hot("a|").pipe(map((letter) => letter))).toEqualTypeOf(of(""));
    const expectation = expectCall(
      toolOf(() => rows),
      call,
    ).toEmit("-(r|)");
    expectTypeOf(expectation).toEqualTypeOf<CallExpectation>();
    expectTypeOf(expectation.toEmit).toBeCallableWith("-1", { 1: progress(1) as RequestEvent });
    // @ts-expect-error an update has a value
    expectTypeOf(expectation.toEmit).toBeCallableWith("-1", { 1: { type: "progress" } });
    // @ts-expect-error there is no such event
    expectTypeOf(expectation.toEmit).toBeCallableWith("-1", { 1: { type: "update" } });
    // @ts-expect-error a test is synchronous
    const wrong: Parameters<typeof marbles>[0] = "test";
    expect(wrong).toBe("test");
  });
});
