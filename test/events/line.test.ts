import { Subject } from "rxjs";
import { describe, expect, it, vi } from "vitest";
import { type Diagnostic, Line, type LineOptions, type RequestEvent } from "../../src/events/index.ts";
import { ProgressSource } from "../../src/progress/index.ts";
import { progressed, question } from "./samples.ts";

function createLine(options: Partial<LineOptions> & { readonly mark?: number } = {}) {
  const events = new Subject<RequestEvent>();
  const seen: RequestEvent[] = [];
  const diagnostics: Diagnostic[] = [];
  events.subscribe((event) => seen.push(event));
  const line = new Line(events, { listening: true, report: (diagnostic) => diagnostics.push(diagnostic), ...options });
  line.resume(options.mark);
  return { line, source: new ProgressSource(line), seen, diagnostics };
}

describe("one request has one line", () => {
  it("a value that passes its own emitter but not the line is merged: false, no throw, one diagnostic naming both", () => {
    const { source, seen, diagnostics } = createLine();
    const [a, b] = [source.doubleProgress(), source.longProgress()];
    expect(a.emit(0.5)).toBe(true);
    expect(b.emit(0)).toBe(false);
    expect(b.last).toBe(0);
    expect(b.emit(1)).toBe(true);
    expect(a.emit(0.75)).toBe(false);
    expect(a.emit(1)).toBe(false);
    expect(seen).toEqual([progressed(0.5), progressed(1)]);
    expect(diagnostics.map(({ type }) => type)).toEqual(["merged-progress"]);
    expect(diagnostics[0]?.message).toMatch(/\b0\b.*\b0\.5\b/);
  });

  it("two merged streams that each give 0.3, 0.7 strictly increase", () => {
    const { source, seen } = createLine();
    const [a, b] = [source.percentProgress(), source.percentProgress()];
    for (const fraction of [0.3, 0.7]) for (const emitter of [a, b]) emitter.complete(fraction);
    expect(seen.map((event) => event.type === "progress" && event.progress)).toEqual([0.3, 0.7]);
  });

  it("a heartbeat 1, 2, 3 beside an explicit 0.5 takes nobody down", () => {
    const { source, seen } = createLine();
    const [heartbeat, explicit] = [source.countingProgress(), source.percentProgress()];
    expect([heartbeat.emit(), explicit.complete(0.5), heartbeat.emit(), heartbeat.emit()]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(seen).toEqual([1, 2, 3].map(progressed));
  });

  it("a negative start is legal when it rises", () => {
    const { source, seen } = createLine();
    const emitter = source.longProgress();
    for (const value of [-5, -1, 0]) expect(emitter.emit(value)).toBe(true);
    expect(seen).toEqual([-5, -1, 0].map(progressed));
  });

  it("another request has a line of its own", () => {
    const [first, second] = [createLine(), createLine()];
    first.source.progress(9);
    expect(second.source.progress(1)).toBe(true);
  });

  it("a refused value does not move the line", () => {
    const { source, line } = createLine();
    source.progress(1);
    expect(() => source.longProgress().emit(2.5)).toThrow(RangeError);
    expect(line.mark).toBe(1);
    expect(source.progress(2)).toBe(true);
  });
});

describe("the mark", () => {
  it("is the last value let through", () => {
    const { source, line } = createLine();
    expect(line.mark).toBeUndefined();
    source.progress(3);
    source.progress(2);
    expect(line.mark).toBe(3);
  });

  it("that a call starts with silences values up to it", () => {
    const { source, seen } = createLine({ mark: 2 });
    const emitter = source.countingProgress();
    expect([emitter.emit(), emitter.emit(), emitter.emit()]).toEqual([false, false, true]);
    expect(seen).toEqual([progressed(3)]);
  });

  it("does not move while nobody listens", () => {
    const { source, line, seen, diagnostics } = createLine({ listening: false, mark: 1 });
    expect([source.progress(5), source.progress(4)]).toEqual([false, false]);
    expect([line.mark, seen, diagnostics]).toEqual([1, [], []]);
  });
});

describe("a replay", () => {
  const typesOf = ({ diagnostics }: ReturnType<typeof createLine>) => diagnostics.map(({ type }) => type);

  it("that repeats what an earlier round reported is no conflict between emitters", () => {
    const line = createLine({ mark: 2 });
    for (const value of [1, 2]) expect(line.source.progress(value)).toBe(false);
    expect(typesOf(line)).toEqual([]);
    expect([line.source.progress(3), line.source.progress(2)]).toEqual([true, false]);
    expect(typesOf(line)).toEqual(["merged-progress"]);
  });

  it("whose news the mark silences wholly is told once, at the end", () => {
    const line = createLine({ mark: 2 });
    line.source.progress(1);
    line.line.pastReplay();
    for (const value of [0.5, 1.5]) line.source.progress(value);
    expect(typesOf(line)).toEqual([]);
    line.line.end({ type: "result", result: {} });
    expect(typesOf(line)).toEqual(["silent-round"]);
    expect(line.diagnostics[0]?.message).toMatch(/\b2\b/);
  });

  it.each([
    ["has no news", []],
    ["has news that exceed the mark in the end", [1, 3]],
  ])("that %s is told of nothing", (_, values) => {
    const line = createLine({ mark: 2 });
    line.source.progress(1);
    line.line.pastReplay();
    for (const value of values) line.source.progress(value);
    line.line.end({ type: "result", result: {} });
    expect(typesOf(line)).toEqual([]);
  });
});

describe("a sealed line", () => {
  it("lets nothing through but the end, and keeps its mark", () => {
    const { line, source, seen } = createLine();
    expect(source.progress(1)).toBe(true);
    line.seal();
    expect([source.progress(2), line.ended, line.mark]).toEqual([false, true, 1]);
    line.publish(question);
    expect(line.end({ type: "result", result: {} })).toBe(true);
    expect(seen.map(({ type }) => type)).toEqual(["progress", "result"]);
  });

  it("can still be left", () => {
    const { line } = createLine();
    const leave = vi.fn();
    line.whenLeft({ leave });
    line.seal();
    expect(leave).not.toHaveBeenCalled();
    line.unsubscribe();
    line.unsubscribe();
    expect(leave).toHaveBeenCalledOnce();
  });
});

describe("the end", () => {
  it("counts once, and nothing follows it", () => {
    const { line, source, seen } = createLine();
    expect(line.end({ type: "result", result: { first: true } })).toBe(true);
    expect(line.end({ type: "result", result: { second: true } })).toBe(false);
    line.publish(question);
    expect(source.progress(1)).toBe(false);
    expect(line.ended).toBe(true);
    expect(seen).toEqual([{ type: "result", result: { first: true } }]);
  });

  it("is no leaving", () => {
    const { line } = createLine();
    const leave = vi.fn();
    line.whenLeft({ leave });
    line.end({ type: "result", result: {} });
    line.unsubscribe();
    expect(leave).not.toHaveBeenCalled();
  });

  it("reached by leaving publishes nothing", () => {
    const { line, source, seen, diagnostics } = createLine();
    line.unsubscribe();
    expect(source.progress(1)).toBe(false);
    expect(line.end({ type: "result", result: {} })).toBe(false);
    expect(seen).toEqual([]);
    // A handler that has not noticed yet does nothing wrong; one that goes on after its own result does.
    expect(diagnostics).toEqual([]);
    const ended = createLine();
    ended.line.end({ type: "result", result: {} });
    ended.source.progress(1);
    expect(ended.diagnostics.map(({ type }) => type)).toEqual(["late-progress"]);
  });

  it("comes for a listener that does not ask for progress too", () => {
    const { line, seen } = createLine({ listening: false });
    line.publish(question);
    line.end({ type: "result", result: {} });
    expect(seen.map(({ type }) => type)).toEqual(["elicitation", "result"]);
  });
});

it("each kind of diagnostic is told once per request", () => {
  const { line, source, diagnostics } = createLine();
  source.progress(1);
  for (let again = 0; again < 3; again += 1) {
    source.progress(1);
    line.subscriberFailed(new Error("subscriber"));
  }
  line.end({ type: "result", result: {} });
  for (let again = 0; again < 3; again += 1) source.progress(1);
  expect(diagnostics.map(({ type }) => type)).toEqual(["merged-progress", "subscriber-failed", "late-progress"]);
  expect(diagnostics[1]?.cause).toEqual(new Error("subscriber"));
});
