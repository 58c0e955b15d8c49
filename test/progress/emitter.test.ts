import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidProgressError, NonIncreasingProgressError } from "../../src/errors.ts";
import type { McpProgressSource } from "../../src/progress/index.ts";
import { createRecorder, thrownBy } from "./recorder.ts";

type Valued = { emit(progress: number, message?: string | null): boolean; readonly last: number | undefined };

const valued: [string, (source: McpProgressSource) => Valued][] = [
  ["double", (source) => source.doubleProgress()],
  ["long", (source) => source.longProgress()],
  ["percent", (source) => source.percentProgress()],
];
const outOfRange: [string, unknown[]][] = [
  ["double", [Number.NaN, Infinity, -Infinity, "1", null, undefined, 1n, {}, Symbol("1")]],
  ["long", [0.5, 2 ** 53, -(2 ** 53), Number.NaN, Infinity, "1", null, undefined, 1n, Symbol("1")]],
  ["percent", [-Number.MIN_VALUE, 1.0000000000000002, 100, Number.NaN, Infinity, "0.5", null, 1n, Symbol("1")]],
];
const create = (name: string, source: McpProgressSource): Valued => {
  const make = valued.find(([known]) => known === name)?.[1];
  if (make === undefined) throw new Error(`no emitter ${name}`);
  return make(source);
};

describe.each(valued)("the %s emitter", (name, make) => {
  it("refuses a value out of its range with InvalidProgressError and keeps its state", () => {
    const { source, sent } = createRecorder();
    const emitter = make(source);
    for (const value of outOfRange.find(([known]) => known === name)?.[1] ?? []) {
      const error = thrownBy(() => emitter.emit(value as number));
      expect(error).toBeInstanceOf(InvalidProgressError);
      expect(error).toBeInstanceOf(RangeError);
      expect(emitter.last).toBeUndefined();
    }
    expect(emitter.emit(1)).toBe(true);
    expect(sent.map(({ progress }) => progress)).toEqual([1]);
  });

  it("refuses a value that is not greater, names both, and keeps its state", () => {
    const { source, sent } = createRecorder();
    const emitter = make(source);
    emitter.emit(0);
    emitter.emit(name === "long" ? 5 : 0.5);
    for (const value of [name === "long" ? 5 : 0.5, 0]) {
      const error = thrownBy(() => emitter.emit(value));
      expect(error).toBeInstanceOf(NonIncreasingProgressError);
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toMatchObject({ previous: name === "long" ? 5 : 0.5, value });
    }
    expect(emitter.last).toBe(name === "long" ? 5 : 0.5);
    expect(emitter.emit(name === "long" ? 6 : 1)).toBe(true);
    expect(sent).toHaveLength(3);
  });

  it("takes -0 for 0", () => {
    const emitter = make(createRecorder().source);
    emitter.emit(0);
    expect(() => emitter.emit(-0)).toThrow(NonIncreasingProgressError);
  });

  it("refuses a message that is no string with TypeError and keeps its state", () => {
    const { source, sent } = createRecorder();
    const emitter = make(source);
    for (const message of [1, {}, true, ["a"], Symbol("m")]) {
      expect(() => emitter.emit(0, message as never)).toThrow(TypeError);
      expect(emitter.last).toBeUndefined();
    }
    expect(emitter.emit(0, "begun")).toBe(true);
    expect(sent).toMatchObject([{ progress: 0, message: "begun" }]);
  });

  it("runs its guards without a token and sends nothing", () => {
    const { source, sent } = createRecorder({ listening: false });
    const emitter = make(source);
    expect(emitter.emit(0)).toBe(false);
    expect(emitter.emit(1)).toBe(false);
    expect(emitter.last).toBe(1);
    expect(() => emitter.emit(1)).toThrow(NonIncreasingProgressError);
    expect(() => emitter.emit(Number.NaN)).toThrow(InvalidProgressError);
    expect(() => emitter.emit(2, 2 as never)).toThrow();
    expect(sent).toEqual([]);
  });

  it("checks nothing after the end, sends nothing, returns false, and a diagnostic says so once", () => {
    const { source, sent, diagnostics, finish } = createRecorder();
    const emitter = make(source);
    expect(emitter.emit(1)).toBe(true);
    finish();
    for (const value of [0, Number.NaN, 1]) expect(emitter.emit(value, 5 as never)).toBe(false);
    expect(sent).toHaveLength(1);
    expect(emitter.last).toBe(1);
    expect(diagnostics.map(({ type }) => type)).toEqual(["late-progress"]);
  });
});

describe.each(["double", "long"])("the %s emitter", (name) => {
  it.each([0, -0, -5, -(2 ** 53) + 1])("starts at %s", (start) => {
    const { source, sent } = createRecorder();
    const emitter = create(name, source);
    expect(emitter.emit(start)).toBe(true);
    expect(emitter.emit(start + 1)).toBe(true);
    expect(sent.map(({ progress }) => progress)).toEqual([start, start + 1]);
  });
});

it("the series 1, 1, 3, 2, 5 goes out as 1, 3, 5", () => {
  const { source, sent } = createRecorder();
  const emitter = source.longProgress();
  const refused = [1, 1, 3, 2, 5].filter((value) => thrownBy(() => emitter.emit(value)) !== undefined);
  expect(refused).toEqual([1, 2]);
  expect(sent).toEqual([{ progress: 1 }, { progress: 3 }, { progress: 5 }]);
});

it("numbers go out unrounded and a value above the total is passed on", () => {
  const { source, sent } = createRecorder();
  source.doubleProgress(0.25).emit(0.1 + 0.2);
  source.longProgress(2).emit(3);
  expect(sent).toEqual([
    { progress: 0.30000000000000004, total: 0.25 },
    { progress: 3, total: 2 },
  ]);
});

it("no last value is invented to reach the total", () => {
  const { source, sent, finish } = createRecorder();
  source.longProgress(10).emit(3);
  finish();
  expect(sent).toEqual([{ progress: 3, total: 10 }]);
});

it("the counting emitter counts 1, 2, 3 and its messages ride along", () => {
  const { source, sent } = createRecorder();
  const emitter = source.countingProgress(3);
  expect([emitter.emit(), emitter.emit("two"), emitter.emit(null)]).toEqual([true, true, true]);
  expect(sent).toEqual([
    { progress: 1, total: 3 },
    { progress: 2, total: 3, message: "two" },
    { progress: 3, total: 3 },
  ]);
  expect(emitter.last).toBe(3);
});

it("the counting emitter refuses a value for a message and does not count it", () => {
  const emitter = createRecorder().source.countingProgress();
  expect(() => emitter.emit(7 as never)).toThrow(TypeError);
  expect(emitter.last).toBeUndefined();
  emitter.emit();
  expect(emitter.last).toBe(1);
});

it("complete and emit of percent are the same, against a total of 1", () => {
  const { source, sent } = createRecorder();
  const emitter = source.percentProgress();
  emitter.complete(0.25, "a quarter");
  emitter.emit(0.5);
  expect(() => emitter.complete(0.5)).toThrow(NonIncreasingProgressError);
  expect(() => emitter.complete(50)).toThrow(InvalidProgressError);
  emitter.complete(1);
  expect(emitter.total).toBe(1);
  expect(sent).toEqual([
    { progress: 0.25, total: 1, message: "a quarter" },
    { progress: 0.5, total: 1 },
    { progress: 1, total: 1 },
  ]);
});

describe("totals are checked at creation", () => {
  const { source } = createRecorder({ listening: false });
  it.each([-1, Number.NaN, Infinity, "10", 1n, Symbol("1")])("%s is refused by every emitter", (total) => {
    expect(() => source.doubleProgress(total as number)).toThrow(InvalidProgressError);
    expect(() => source.longProgress(total as number)).toThrow(InvalidProgressError);
    expect(() => source.countingProgress(total as number)).toThrow(InvalidProgressError);
  });

  it.each([1.5, 2 ** 53])("%s is refused where whole units are counted, taken by double", (total) => {
    expect(() => source.longProgress(total)).toThrow(InvalidProgressError);
    expect(() => source.countingProgress(total)).toThrow(InvalidProgressError);
    expect(source.doubleProgress(total).total).toBe(total);
  });

  it.each([0, 10])("%s is taken and readable", (total) => {
    for (const emitter of [source.doubleProgress(total), source.longProgress(total), source.countingProgress(total)]) {
      expect(emitter.total).toBe(total);
    }
  });
});

describe("what is absent is left out on the wire", () => {
  it.each([null, undefined])("a total and a message of %s leave no key", (absent) => {
    const { source, sent } = createRecorder();
    source.doubleProgress(absent).emit(1, absent);
    source.longProgress(absent).emit(2, absent);
    source.progress(3, absent, absent);
    expect(sent.map((update) => Object.keys(update))).toEqual([["progress"], ["progress"], ["progress"]]);
    const counting = createRecorder();
    counting.source.countingProgress(absent).emit(absent);
    expect(counting.sent.map((update) => Object.keys(update))).toEqual([["progress"]]);
  });

  it("an empty message and a total of 0 are kept", () => {
    const { source, sent } = createRecorder();
    source.doubleProgress(0).emit(1, "");
    source.longProgress(0).emit(2, "");
    source.progress(3, 0, "");
    expect(sent).toEqual([
      { progress: 1, total: 0, message: "" },
      { progress: 2, total: 0, message: "" },
      { progress: 3, total: 0, message: "" },
    ]);
  });
});

describe("progress()", () => {
  it("takes a total per call and merges instead of throwing for order", () => {
    const { source, sent } = createRecorder();
    expect([source.progress(1, 10, "a"), source.progress(1), source.progress(-3), source.progress(2, 20)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(sent).toEqual([
      { progress: 1, total: 10, message: "a" },
      { progress: 2, total: 20 },
    ]);
  });

  it("checks ranges with or without a token, and nothing after the end", () => {
    for (const listening of [true, false]) {
      const { source, finish } = createRecorder({ listening });
      expect(() => source.progress(Number.NaN)).toThrow(InvalidProgressError);
      expect(() => source.progress(1, -1)).toThrow(InvalidProgressError);
      expect(() => source.progress(1, 1, 1 as never)).toThrow(TypeError);
      expect(source.progress(1)).toBe(listening);
      finish();
      expect(source.progress(Number.NaN, -1, 1 as never)).toBe(false);
    }
  });
});

it("whatever is tried, an emitter's accepted values are the running maxima of its series", () => {
  fc.assert(
    fc.property(fc.array(fc.double()), (values) => {
      const { source, sent } = createRecorder();
      const emitter = source.doubleProgress();
      const expected: number[] = [];
      for (const value of values) {
        const last = expected.at(-1);
        const legal = Number.isFinite(value) && (last === undefined || value > last);
        if (legal) expected.push(value);
        expect(thrownBy(() => emitter.emit(value)) === undefined).toBe(legal);
      }
      expect(sent.map(({ progress }) => progress)).toEqual(expected);
      expect(emitter.last).toBe(expected.at(-1));
    }),
  );
});
