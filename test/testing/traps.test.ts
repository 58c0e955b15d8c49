import { createMcpServer, defineTool, type Handled, type McpToolContext, reportTo } from "mcp-headway";
import { concatMap, from, interval, NEVER, of, timer } from "rxjs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DiagramError, type MarbleClient, marbles, type Target, toolCall } from "../../src/testing/index.ts";
import { thrownBy } from "../progress/recorder.ts";

const toolOf = (handler: (ctx: McpToolContext) => Handled<unknown>, timeoutMs?: number) =>
  defineTool({ name: "t", description: "d", timeoutMs, handler: (_, ctx) => handler(ctx) });
const serverOf = (handler: (ctx: McpToolContext) => Handled<unknown>) =>
  createMcpServer({ name: "s", version: "1", tools: [toolOf(handler)] });
const call = toolCall("t");
const asynchronous = async (ctx: McpToolContext) => {
  ctx.progress(1);
  await Promise.resolve();
  ctx.progress(2);
};

/** What is wrong with a diagram, as text. */
function complaint(target: Target, diagram: string, client?: MarbleClient): string {
  const thrown = thrownBy(() => marbles(({ expectCall }) => void expectCall(target, call, client).toEmit(diagram)));
  expect(thrown).toBeInstanceOf(DiagramError);
  return String(thrown);
}

describe("a diagram that would pass because virtual time waits for no promise", () => {
  it.each<[string, Target, string, MarbleClient]>([
    ["an async tool", toolOf(asynchronous), "1", {}],
    ["an async tool whose client leaves", toolOf(asynchronous), "1", { subscription: "^-!" }],
    ["an async tool whose deadline passes", toolOf(asynchronous, 5), "1----(r|)", {}],
    ["an async tool of a client that never hears it", toolOf(async () => 1), "", { subscription: "^-!" }],
    ["an async tool of a server", serverOf(asynchronous), "1", {}],
    ["an async tool of a server that says nothing", serverOf(async () => 1), "", {}],
    ["one whose client leaves", serverOf(async () => 1), "", { subscription: "^-!" }],
    ["a promise behind an observable", toolOf(() => from(Promise.resolve(1))), "", {}],
    ["one whose client leaves", toolOf(() => from(Promise.resolve(1))), "", { subscription: "^-!" }],
    ["a promise between two observables", toolOf(() => of(1).pipe(concatMap(async (n) => n))), "", {}],
    ["room that a handler awaits", toolOf(async (ctx) => ctx.drained()), "", { room: "r" }],
    [
      "a question of 2026",
      toolOf((ctx) => from(ctx.elicit("?", z.object({})))),
      "",
      { capabilities: { elicitation: {} } },
    ],
  ])("fails: %s", (_, target, diagram, client) => {
    const told = complaint(target, diagram, client);
    expect(told).toMatch(/promise/);
    expect(told).toContain("fake timers");
  });

  it("fails when an answer comes too early, before a promise has asked", () => {
    const asks = toolOf((ctx) => from(Promise.resolve()).pipe(concatMap(() => ctx.elicit("?", z.object({})))));
    const client = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, answers: "-a" };
    expect(complaint(asks, "", { ...client, subscription: "^--!" })).toContain("answered at 1 ms, when no question");
  });

  it("passes when a source of the test was at work and said nothing", () => {
    marbles(({ cold, hot, expectCall }) => {
      expectCall(
        toolOf((ctx) => cold("-----a|").pipe(reportTo(ctx.countingProgress()))),
        call,
        {
          subscription: "^--!",
        },
      ).toEmit("");
      expectCall(
        serverOf(() => hot("-----a|")),
        call,
        { subscription: "^--!" },
      ).toEmit("");
    });
  });
});

describe("a call that does not end", () => {
  it("fails unless its client leaves, whatever it emitted", () => {
    expect(
      complaint(
        toolOf(() => NEVER),
        "",
      ),
    ).toContain("had not ended when virtual time ran out, and nothing was emitted");
    const said = toolOf((ctx) => {
      ctx.progress(1);
      return NEVER;
    });
    expect(complaint(said, "1")).toContain("its last event came at 0 ms");
    marbles(({ expectCall }) => void expectCall(said, call, { subscription: "^-!" }).toEmit("1"));
  });

  it("has a signal that nobody aborted", () => {
    const thrown = thrownBy(() =>
      marbles(
        ({ expectCall }) =>
          void expectCall(
            toolOf(() => NEVER),
            call,
          ).toAbort(""),
      ),
    );
    expect(String(thrown)).toContain("had not ended");
    expect(String(thrown)).not.toContain("to abort");
  });

  it("fails although its timer goes on for ever, and leaves no timer behind", () => {
    let ticks = 0;
    const endless = toolOf(() => interval(60_000).pipe(concatMap(() => of(++ticks))));
    expect(complaint(endless, "")).toContain("let its client leave");
    expect(ticks).toBe(59);
  });
});

describe("a diagram that differs", () => {
  const counting = (source: string, expected: string) =>
    thrownBy(() =>
      marbles(({ cold, expectCall }) => {
        const tool = toolOf((ctx) => cold(source).pipe(reportTo(ctx.countingProgress(2))));
        expectCall(tool, call).toEmit(expected, { x: { type: "progress", progress: 1 } });
      }),
    );

  it("is shown beside what was emitted, as a picture and as a list", () => {
    const message = String((counting("-a--(b|)", "-x-2(e|)") as Error).message).replace(/"content".*/, "…");
    expect(message).toBe(`tools/call t: Expected the call to emit what its diagram shows

  expected  -x-2(e|)
  emitted   -1--(2r|)

-     1 ms  x  {"type":"progress","progress":1}
+     1 ms  1  {"type":"progress","progress":1,"total":2}
-     3 ms  2  {"type":"progress","progress":2}
-     4 ms  e  {"type":"error"}
+     4 ms  2  {"type":"progress","progress":2,"total":2}
-     4 ms  |
+     4 ms  r  {"type":"result","result":{…
+     4 ms  |`);
  });

  it.each([
    ["a moment late", "-a--(b|)", "-1-2-(r|)"],
    ["without its end", "-a-(b|)", "-1-2"],
    ["with an update too many", "-a-(b|)", "-(r|)"],
    ["with a completion for a result", "-a-(b|)", "-1-(2|)"],
    ["empty", "-a-(b|)", ""],
  ])("fails: %s", (_, source, expected) => {
    expect(counting(source, expected)).toBeInstanceOf(DiagramError);
  });

  it("fails for a signal that aborts at another moment, for another reason, or not at all", () => {
    const abort = (diagram: string, ...reason: [] | [typeof TypeError]) =>
      thrownBy(() =>
        marbles(({ cold, expectCall }) => {
          const tool = toolOf(() => cold("-----|"));
          expectCall(tool, call, { subscription: "^--!" }).toAbort(diagram, ...reason);
        }),
      );
    expect(abort("---!")).toBeUndefined();
    expect(String(abort("---!", TypeError))).toContain("+     3 ms  !  Cancelled: The client cancelled the request");
    expect(String(abort("--!"))).toContain("-     2 ms  !");
    expect(String(abort(""))).toContain("expected  (nothing)\n  emitted   ---!");
  });

  it("fails for subscriptions, as pictures", () => {
    const thrown = thrownBy(() =>
      marbles(({ cold, expectCall, expectSubscriptions }) => {
        const source = cold("--|");
        expectCall(
          toolOf(() => source),
          call,
        ).toEmit("--(r|)");
        expectSubscriptions(source).toBe("^-!");
        expectSubscriptions(source).toBe(["^--!", "^"]);
      }),
    );
    expect(String(thrown)).toContain("Expected the subscriptions  ^--!  ^\ngot                         ^-!");
  });

  it("tells all that is wrong at once", () => {
    const thrown = thrownBy(() =>
      marbles(({ cold, expectCall }) => {
        expectCall(
          toolOf(() => cold("-|")),
          call,
        ).toEmit("(r|)");
        expectCall(
          toolOf(() => timer(1)),
          toolCall("t"),
        ).toEmit("--(r|)");
      }),
    );
    expect(String(thrown).match(/Expected the call/g)).toHaveLength(2);
  });
});

describe("misuse", () => {
  const run = (test: Parameters<typeof marbles>[0]) => () => marbles(test);
  const tool = toolOf(() => timer(1));

  it("throws", () => {
    expect(run(() => undefined)).toThrow("at least one `expectCall`");
    expect(run(({ expectCall }) => void expectCall(tool, call))).toThrow("followed by `toEmit` or `toAbort`");
    expect(run(({ expectCall }) => void expectCall(tool, call).toEmit("-x"))).toThrow("a value for the marble `x`");
    expect(run(({ expectCall }) => void expectCall(tool, call).toAbort("-!!"))).toThrow('one "!" at most');
    expect(run(({ expectCall }) => void expectCall(tool, call, { protocolVersion: "2020" }))).toThrow(
      "2026-07-28, 2025",
    );
    expect(run(async () => undefined)).toThrow("Expected `test` to be synchronous");
  });
});
