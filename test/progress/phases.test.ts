import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { InvalidProgressError } from "../../src/errors.ts";
import type { McpProgressSource, ProgressPhase } from "../../src/progress/index.ts";
import { createRecorder } from "./recorder.ts";

it("the request reports the weighted sum against a total of 1", () => {
  const { source, sent } = createRecorder();
  const { download, index } = source.phases({ download: 1, index: 3 });
  const bytes = download.longProgress(200);
  expect(bytes.emit(100, "half way")).toBe(true);
  expect(download.done()).toBe(true);
  index.percentProgress().complete(0.5);
  index.done("indexed");
  expect(sent).toEqual([
    { progress: 0.125, total: 1, message: "half way" },
    { progress: 0.25, total: 1 },
    { progress: 0.625, total: 1 },
    { progress: 1, total: 1, message: "indexed" },
  ]);
});

it("a phase has every way to report that a request has", async () => {
  const { source, sent } = createRecorder();
  const { a, b, c, d, e } = source.phases({ a: 1, b: 1, c: 1, d: 1, e: 1 });
  a.doubleProgress(2).emit(1);
  b.countingProgress(2).emit();
  c.percentProgress().emit(0.5);
  d.progress(5, 10);
  for await (const item of e.track([1, 2])) if (item === 2) break;
  expect(sent.map(({ progress }) => progress)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
});

it("phases nest", () => {
  const { source, sent } = createRecorder();
  const { load, store } = source.phases({ load: 1, store: 1 });
  const { read, parse } = load.phases({ read: 1, parse: 3 });
  read.done();
  parse.longProgress(2).emit(1);
  parse.done();
  store.done();
  expect(sent.map(({ progress }) => progress)).toEqual([0.125, 0.3125, 0.5, 1]);
});

it("phases run in parallel and the sum never falls", () => {
  const { source, sent } = createRecorder();
  const { left, right } = source.phases({ left: 1, right: 1 });
  const [a, b] = [left.longProgress(4), right.longProgress(4)];
  for (const step of [1, 2, 3, 4]) {
    expect(a.emit(step)).toBe(true);
    expect(b.emit(step)).toBe(true);
  }
  expect(sent.map(({ progress }) => progress)).toEqual([0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1]);
});

it("an unknown total counts 0 until done", () => {
  const { source, sent } = createRecorder();
  const { scan, rest } = source.phases({ scan: 1, rest: 1 });
  const files = scan.countingProgress();
  expect(files.emit("first")).toBe(true);
  expect(files.emit("second")).toBe(false);
  scan.done();
  rest.done();
  expect(sent).toEqual([
    { progress: 0, total: 1, message: "first" },
    { progress: 0.5, total: 1, message: "second" },
    { progress: 1, total: 1 },
  ]);
});

it("a total of 0 is complete", () => {
  const { source, sent } = createRecorder();
  const { empty } = source.phases({ empty: 1, rest: 1 });
  empty.doubleProgress(0).emit(0);
  expect(sent).toEqual([{ progress: 0.5, total: 1 }]);
});

it("a fraction is clamped to [0, 1]", () => {
  const { source, sent } = createRecorder();
  const { a, b } = source.phases({ a: 1, b: 1 });
  const below = a.doubleProgress(10);
  below.emit(-5);
  below.emit(5);
  b.doubleProgress(10).emit(30);
  expect(sent.map(({ progress }) => progress)).toEqual([0, 0.25, 0.75]);
});

it("a second emitter that is behind does not pull its phase back", () => {
  const { source, sent } = createRecorder();
  const { a, b } = source.phases({ a: 1, b: 1 });
  expect(a.longProgress(10).emit(8)).toBe(true);
  expect(a.longProgress(10).emit(2)).toBe(false);
  expect(b.longProgress(10).emit(1)).toBe(true);
  expect(sent.map(({ progress }) => progress)).toEqual([0.4, 0.45]);
});

it("a step too small to move the sum is merged and its message goes with the next update", () => {
  const { source, sent } = createRecorder();
  const { huge, tiny } = source.phases({ huge: 2 ** 60, tiny: 1 });
  huge.progress(1, 2);
  expect(tiny.progress(1, 2, "too small to see")).toBe(false);
  expect(tiny.progress(2, 2)).toBe(false);
  expect(huge.progress(3, 4)).toBe(true);
  expect(sent).toEqual([
    { progress: 0.5, total: 1 },
    { progress: 0.75, total: 1, message: "too small to see" },
  ]);
});

it("a newer message replaces the one that waits", () => {
  const { source, sent } = createRecorder();
  const { scan } = source.phases({ scan: 1 });
  const files = scan.countingProgress();
  for (const message of ["one", "two", "three"]) files.emit(message);
  scan.done("finished");
  expect(sent.map(({ message }) => message)).toEqual(["one", "finished"]);
});

it("a message that waits in a nested phase is not lost", () => {
  const { source, sent } = createRecorder();
  const { outer } = source.phases({ outer: 1 });
  const { scan } = outer.phases({ scan: 1 });
  const files = scan.countingProgress();
  files.emit("one");
  files.emit("two");
  scan.done();
  expect(sent).toEqual([
    { progress: 0, total: 1, message: "one" },
    { progress: 1, total: 1, message: "two" },
  ]);
});

describe("after done()", () => {
  it("a phase's emitters check nothing and return false, and other phases go on", () => {
    const { source, sent, diagnostics } = createRecorder();
    const { a, b } = source.phases({ a: 1, b: 1 });
    const emitter = a.longProgress(10);
    const nested = a.phases({ inner: 1 }).inner;
    emitter.emit(1);
    a.done();
    expect(emitter.emit(5)).toBe(false);
    expect(emitter.emit(Number.NaN, 1 as never)).toBe(false);
    expect(a.progress(Number.NaN)).toBe(false);
    expect(nested.done()).toBe(false);
    expect(a.done(1 as never)).toBe(false);
    expect(b.done()).toBe(true);
    expect(sent.map(({ progress }) => progress)).toEqual([0.05, 0.5, 1]);
    expect(diagnostics).toEqual([]);
  });

  it("a report after the request's end is still a diagnostic", () => {
    const { source, diagnostics, finish } = createRecorder();
    const { a } = source.phases({ a: 1 });
    a.done();
    finish();
    expect(a.progress(1)).toBe(false);
    expect(diagnostics.map(({ type }) => type)).toEqual(["late-progress"]);
  });

  it("a message that is no string leaves the phase open", () => {
    const { a } = createRecorder().source.phases({ a: 1 });
    expect(() => a.done(1 as never)).toThrow(TypeError);
    expect(a.done("really")).toBe(true);
  });
});

describe("bad weights are RangeErrors", () => {
  const { source } = createRecorder();
  it.each([0, -1, Number.NaN, Infinity, "1", undefined])("%s", (weight) => {
    const make = () => source.phases({ good: 1, bad: weight as number });
    expect(make).toThrow(InvalidProgressError);
    expect(make).toThrow(RangeError);
    expect(make).toThrow(/"bad"/);
  });

  it("no phase at all, or weights whose sum is not finite", () => {
    expect(() => source.phases({})).toThrow(RangeError);
    expect(() => source.phases({ a: Number.MAX_VALUE, b: Number.MAX_VALUE })).toThrow(RangeError);
    expect(Object.keys(source.phases({ a: Number.MAX_VALUE, b: Number.MIN_VALUE }))).toEqual(["a", "b"]);
  });
});

const weight = fc.double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true });
const weights = fc.dictionary(fc.string(), weight, { minKeys: 1, maxKeys: 12 });

it("all phases done gives exactly 1, whatever the weights and the order", () => {
  fc.assert(
    fc.property(weights, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (record, order) => {
      const { source, sent } = createRecorder();
      const phases = Object.values(source.phases(record));
      const ranks = new Map(phases.map((phase) => [phase, order.next().value]));
      for (const phase of phases.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))) phase.done();
      expect(sent.at(-1)).toEqual({ progress: 1, total: 1 });
    }),
  );
});

it("whatever the phases report, the sum strictly increases within [0, 1]", () => {
  const step = fc.record({ phase: fc.nat(), progress: fc.double({ noNaN: true, noDefaultInfinity: true }) });
  fc.assert(
    fc.property(weights, fc.array(step), fc.double({ min: 0, max: 1e300, noNaN: true }), (record, steps, total) => {
      const { source, sent } = createRecorder();
      const phases = Object.values(source.phases(record));
      for (const { phase, progress } of steps) phases[phase % phases.length]?.progress(progress, total);
      const values = sent.map((update) => update.progress);
      expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
      expect(values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0))).toBe(true);
    }),
  );
});

it("infers the keys, and each phase is a whole source", () => {
  const { source } = createRecorder();
  const phases = source.phases({ download: 1, index: 3 });
  expectTypeOf(phases).toEqualTypeOf<Record<"download" | "index", ProgressPhase>>();
  expectTypeOf<ProgressPhase>().toExtend<McpProgressSource>();
  // @ts-expect-error no such phase
  expect(phases.upload).toBeUndefined();
  // @ts-expect-error weights are numbers
  expect(() => source.phases({ download: "1" })).toThrow(RangeError);
});
