import { describe, expect, it } from "vitest";
import type { PulseOptions } from "../../src/events/index.ts";
import { beforeZero, nextUp } from "../../src/events/step.ts";
import { every10, open, timesOf, valuesOf } from "./virtual.ts";

describe("what a pulse says", () => {
  it("is the next representable value, with the last total and message", () => {
    const { line, source, seen, advance } = open();
    source.progress(5, 9, "at work");
    line.pulse(every10);
    advance(25);
    const second = nextUp(5);
    expect(seen).toEqual([
      [0, { type: "progress", progress: 5, total: 9, message: "at work" }],
      [10, { type: "progress", progress: second, total: 9, message: "at work" }],
      [20, { type: "progress", progress: nextUp(second), total: 9, message: "at work" }],
    ]);
  });

  it("has a message of its own instead, when one is given", () => {
    const { line, source, seen, advance } = open();
    source.progress(1, undefined, "begun");
    line.pulse({ ...every10, message: "still there" });
    advance(10);
    expect(seen.at(-1)?.[1]).toEqual({ type: "progress", progress: nextUp(1), message: "still there" });
  });

  it("leaves a first report of 0 its place", () => {
    const { line, source, seen, diagnostics, advance } = open();
    line.pulse(every10);
    advance(20);
    expect(source.percentProgress().complete(0, "begun")).toBe(true);
    expect(valuesOf(seen)).toEqual([
      [10, beforeZero],
      [20, nextUp(beforeZero)],
      [20, 0],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it("goes on from the mark of the rounds before, with the total that this one repeats in silence", () => {
    const { line, source, seen, advance } = open();
    line.resume(50);
    line.pulse(every10);
    advance(10);
    expect(source.progress(20, 100, "copying")).toBe(false);
    advance(30);
    const first = nextUp(50);
    expect(seen.map(([, event]) => event)).toEqual([
      { type: "progress", progress: first },
      { type: "progress", progress: nextUp(first), total: 100, message: "copying" },
      { type: "progress", progress: nextUp(nextUp(first)), total: 100, message: "copying" },
    ]);
  });

  it("keeps to what was sent, whatever another emitter said in vain", () => {
    const { line, source, seen, diagnostics, advance } = open();
    source.progress(500, 1_000, "ours");
    expect(source.progress(3, 10, "theirs")).toBe(false);
    line.pulse(every10);
    advance(10);
    expect(seen.at(-1)?.[1]).toEqual({ type: "progress", progress: nextUp(500), total: 1_000, message: "ours" });
    expect(diagnostics.map(({ type }) => type)).toEqual(["merged-progress"]);
  });

  it("goes through no guard: an emitter goes on from its own last value", () => {
    const { line, source, advance } = open();
    const [whole, part] = [source.longProgress(9), source.doubleProgress()];
    whole.emit(5);
    line.pulse(every10);
    advance(30);
    expect(whole.last).toBe(5);
    expect(() => whole.emit(5)).toThrow(/greater/i);
    expect(part.emit(5.1)).toBe(true);
    expect(whole.emit(6)).toBe(true);
  });

  it("is no conflict between emitters, however near they come", () => {
    const { line, source, seen, diagnostics, advance } = open();
    source.progress(5);
    line.pulse(every10);
    advance(30);
    const before = seen.length;
    expect(source.progress(nextUp(5), undefined, "a hair further")).toBe(false);
    expect(seen).toHaveLength(before);
    expect(diagnostics).toEqual([]);
    advance(50);
    expect(seen.at(-1)?.[1]).toMatchObject({ message: "a hair further" });
    expect(source.progress(4)).toBe(false);
    expect(diagnostics.map(({ type }) => type)).toEqual(["merged-progress"]);
  });

  it.each([
    ["at the total", 9, 9],
    ["one step below it", 1 - Number.EPSILON / 2, 1],
    ["above it", 10, 9],
    ["at the largest number", Number.MAX_VALUE, undefined],
  ])("is nothing %s", (_title, value, total) => {
    const { line, source, seen, advance } = open();
    source.progress(value, total);
    line.pulse(every10);
    advance(50);
    expect(seen).toHaveLength(1);
    const isLargest = value === Number.MAX_VALUE;
    expect(source.progress(11, 20)).toBe(!isLargest);
    advance(75);
    expect(timesOf(seen)).toEqual(isLargest ? [0] : [0, 50, 70]);
  });

  const wrong: readonly (readonly [PulseOptions, RegExp])[] = [
    [{ everyMs: 0, forMs: 1 }, /^Expected `everyMs` to be greater than 0 and at most 2147483647, got 0$/],
    [{ everyMs: Number.NaN, forMs: 1 }, /`everyMs`.*NaN/],
    [{ everyMs: 2 ** 31, forMs: 2 ** 31 }, /`everyMs`/],
    [{ everyMs: 10, forMs: 9 }, /^Expected `forMs` to be at least `everyMs` and at most 2147483647, got 9$/],
    [{ everyMs: 10, forMs: Number.POSITIVE_INFINITY }, /`forMs`.*Infinity/],
    [{ everyMs: 10, forMs: 10, message: 5 as unknown as string }, /^Expected `message` to be a string, got number$/],
  ];
  it.each(wrong)("is refused for %o, whoever listens", (options, message) => {
    for (const listening of [true, false]) {
      expect(() => open({ listening }).line.pulse(options)).toThrow(message);
      expect(() => open({ listening }).line.pulse(every10)).not.toThrow();
    }
  });
});
