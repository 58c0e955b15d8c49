import { createMcpServer, defineTool, ToolError } from "mcp-headway";
import { type CallOptions, connect, observeProgress, type ProgressInput } from "mcp-headway/client";
import { createLiveLines, type LiveLine } from "mcp-headway/terminal";
import { EMPTY, lastValueFrom, NEVER, type Observable, of } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { Clock, Pipe, Terminal } from "./terminal.ts";

const tools = [
  defineTool({ name: "works", description: "Works", handler: () => "done" }),
  defineTool({
    name: "breaks",
    description: "Says in its result that it failed",
    handler: () => {
      throw new ToolError("it broke");
    },
  }),
  defineTool({ name: "hangs", description: "Never ends", handler: () => NEVER }),
];
const client = connect(createMcpServer({ name: "s", version: "1", tools }));
const reached = () => AbortSignal.abort();

function stage() {
  const pipe = new Pipe();
  return { pipe, live: createLiveLines({ stream: pipe, scheduler: new Clock() }) };
}

describe("without a terminal, the last line of a call", () => {
  it.each<[string, string, CallOptions, string]>([
    ["a result", "works", {}, "ended"],
    ["a result that says so", "breaks", {}, "failed"],
    ["a JSON-RPC error", "unknown", {}, "failed"],
    ["a signal", "hangs", { signal: reached() }, "cancelled"],
    ["a signal with another reason", "hangs", { signal: AbortSignal.abort(new Error("no")) }, "failed"],
    ["its time", "hangs", { timeoutMs: 1 }, "failed"],
  ])("after %s of `%s` says %j that it %s", async (_, name, options, word) => {
    const { pipe, live } = stage();
    await lastValueFrom(client.streamTool(name, {}, options).pipe(live.line("x"))).catch(() => undefined);
    const { closeAfter } = live.open("y");
    await closeAfter(client.callTool(name, {}, options)).catch(() => undefined);
    expect(pipe.lines).toEqual([`x  ${word} after 0.0 s`, `y  ${word} after 0.0 s`]);
  });

  it.each<[string, Observable<ProgressInput>, string]>([
    ["an error event", of({ type: "error", error: { code: -32603, message: "no" } }), "failed"],
    ["the end of a round", of({ type: "input-required", inputRequests: {}, requestState: "s" }), "ended"],
    ["a result of any kind", of({ type: "result", result: undefined }), "ended"],
    ["a failed result of any kind", of({ type: "result", result: { isError: true } }), "failed"],
    ["no more to come", EMPTY, "ended"],
  ])("after %s says so", (_, source, word) => {
    const { pipe, live } = stage();
    source.pipe(live.line("x")).subscribe();
    expect(pipe.lines).toEqual([`x  ${word} after 0.0 s`]);
  });

  it("is not `cancelled` when the stream is left with the result", async () => {
    const { pipe, live } = stage();
    const events = observeProgress(() => Promise.resolve({ isError: true }));
    await new Promise<void>((resolve) => {
      const subscription = events.pipe(live.line("x")).subscribe(() => {
        subscription.unsubscribe();
        resolve();
      });
    });
    NEVER.pipe(live.line("y")).subscribe().unsubscribe();
    expect(pipe.lines).toEqual(["x  failed after 0.0 s", "y  cancelled after 0.0 s"]);
  });

  it("says that it ended where nobody said how", () => {
    const { pipe, live } = stage();
    live.open("x").close();
    expect(pipe.lines).toEqual(["x  ended after 0.0 s"]);
  });
});

describe("the ending", () => {
  it.each([
    ["without a terminal", () => new Pipe(), (stream: Pipe | Terminal) => (stream as Pipe).lines],
    ["in a terminal", () => new Terminal(), (stream: Pipe | Terminal) => (stream as Terminal).picture],
  ] as const)("is not said of a call whose result says that it failed, %s", async (_, make, read) => {
    const stream = make();
    const live = createLiveLines({ stream, scheduler: new Clock() });
    const call = (name: string) => client.streamTool(name).pipe(live.line(name, { ending: () => "100 %" }));
    await lastValueFrom(call("breaks"));
    await lastValueFrom(call("works"));
    expect(read(stream).filter((line) => line.includes("100 %"))).toEqual([expect.stringContaining("works  100 %")]);
  });
});

describe("closeAfter", () => {
  it("gives what the call gives, and closes the line before", async () => {
    const { pipe, live } = stage();
    const one = live.open("one").closeAfter(client.callTool("works"));
    expectTypeOf(live.open("two").closeAfter(Promise.resolve(1))).toEqualTypeOf<Promise<number>>();
    const result = await one;
    expect(result.content).toEqual([{ type: "text", text: "done" }]);
    expect(pipe.lines).toContain("one  ended after 0.0 s");
    const error = new Error("no");
    await expect(live.open("three").closeAfter(Promise.reject(error))).rejects.toBe(error);
    expect(pipe.lines.at(-1)).toMatch(/^three +failed after 0\.0 s$/);
    expectTypeOf<LiveLine["closeAfter"]>().toBeCallableWith("a value");
  });

  it("says nothing more of a line that is closed", async () => {
    const { pipe, live } = stage();
    const { close, closeAfter } = live.open("one");
    close("mine");
    expect(await closeAfter(Promise.resolve(7))).toBe(7);
    expect(pipe.lines).toEqual(["one  mine"]);
  });
});
