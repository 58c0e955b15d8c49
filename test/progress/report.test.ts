import { concat, from, type MonoTypeOperatorFunction, map, NEVER, type Observable, of, Subject, toArray } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { NonIncreasingProgressError } from "../../src/errors.ts";
import { reportTo } from "../../src/progress/index.ts";
import { createRecorder } from "./recorder.ts";
import { goAstray, strayErrors } from "./stray.ts";

function record<T>(source: Observable<T>) {
  const seen: { values: T[]; error?: unknown; completed: boolean } = { values: [], completed: false };
  source.subscribe({
    next: (value) => seen.values.push(value),
    error: (error) => {
      seen.error = error;
    },
    complete: () => {
      seen.completed = true;
    },
  });
  return seen;
}

it("reports numbers as they are and hands them on unchanged", () => {
  const { source, sent } = createRecorder();
  const seen = record(of(1, 2, 5).pipe(reportTo(source.longProgress(5))));
  expect(seen).toEqual({ values: [1, 2, 5], completed: true });
  expect(sent.map(({ progress }) => progress)).toEqual([1, 2, 5]);
});

it("reports what project yields, alone or with a message", () => {
  const { source, sent } = createRecorder();
  const files = [{ size: 3 }, { size: 4 }];
  const seen = record(
    from(files).pipe(
      reportTo(source.longProgress(), ({ size }) => size),
      reportTo(source.longProgress(), ({ size }, index) => [size * 10, `file ${index}`]),
    ),
  );
  expect(seen.values).toEqual(files);
  expect(seen.values[0]).toBe(files[0]);
  expect(sent).toEqual([{ progress: 3 }, { progress: 30, message: "file 0" }, { progress: 40, message: "file 1" }]);
});

it("counts the values of any stream, whose strings are not messages", () => {
  const { source, sent } = createRecorder();
  record(of("a", "b").pipe(reportTo(source.countingProgress(2))));
  record(of("c").pipe(reportTo(createRecorder().source.countingProgress(), (value, index) => `${value}${index}`)));
  expect(sent).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
});

it("yields a step's message through project", () => {
  const { source, sent } = createRecorder();
  record(of("a", "").pipe(reportTo(source.countingProgress(), (value) => (value === "" ? undefined : value))));
  expect(sent).toEqual([{ progress: 1, message: "a" }, { progress: 2 }]);
});

it("a guard failure errors the stream, stops the source and never reaches the process", async () => {
  const { source, sent } = createRecorder();
  const numbers = new Subject<number>();
  const seen = record(numbers.pipe(reportTo(source.longProgress())));
  const stray = await strayErrors(() => {
    for (const value of [1, 1, 2]) numbers.next(value);
  });
  expect(seen.values).toEqual([1]);
  expect(seen.error).toBeInstanceOf(NonIncreasingProgressError);
  expect(numbers.observed).toBe(false);
  expect(sent).toEqual([{ progress: 1 }]);
  expect(stray).toEqual([]);
  expect(await strayErrors(goAstray)).toHaveLength(2);
});

it("the source's completion does not close the emitter", () => {
  const { source, sent } = createRecorder();
  const emitter = source.longProgress();
  expect(record(of(1).pipe(reportTo(emitter))).completed).toBe(true);
  expect(emitter.emit(2)).toBe(true);
  expect(record(of(3).pipe(reportTo(emitter))).completed).toBe(true);
  expect(sent.map(({ progress }) => progress)).toEqual([1, 2, 3]);
});

it("the index starts anew with each subscription", () => {
  const { source } = createRecorder({ listening: false });
  const indices: number[] = [];
  const counted = of("a", "b").pipe(
    reportTo(source.countingProgress(), (_, index) => {
      indices.push(index);
      return undefined;
    }),
  );
  record(counted);
  record(counted);
  expect(indices).toEqual([0, 1, 0, 1]);
});

it("keeps an emitter's updates contained", async () => {
  const { source, diagnostics } = createRecorder();
  const [from, to] = [source.phases({ a: 1 }).a.longProgress(2), createRecorder().source.longProgress()];
  const stray = await strayErrors(() => {
    from.updates
      .pipe(
        map(({ progress }) => progress),
        reportTo(to),
      )
      .subscribe(() => {
        throw new Error("subscriber");
      });
    from.emit(1);
  });
  expect(to.last).toBe(1);
  expect(stray).toEqual([]);
  expect(diagnostics.map(({ type }) => type)).toEqual(["subscriber-failed"]);
});

describe("types", () => {
  const { source } = createRecorder({ listening: false });
  const [double, percent, counting] = [source.doubleProgress(), source.percentProgress(), source.countingProgress()];

  it("a numeric emitter without project takes a stream of numbers only", () => {
    expectTypeOf(reportTo(double)).toEqualTypeOf<MonoTypeOperatorFunction<number>>();
    expectTypeOf(concat(of(1), NEVER).pipe(reportTo(percent))).toEqualTypeOf<Observable<number>>();
    // @ts-expect-error a string is no progress
    of("a").pipe(reportTo(double));
  });

  it("a projection's value is inferred from the stream and handed on", () => {
    const projected = of({ size: 1 }).pipe(reportTo(double, (file) => [file.size, "sized"]));
    expectTypeOf(projected).toEqualTypeOf<Observable<{ size: number }>>();
    // @ts-expect-error progress is a number
    of("a").pipe(reportTo(double, (value) => value));
    // @ts-expect-error a message is a string
    of("a").pipe(reportTo(percent, () => [1, 2]));
  });

  it("a counting emitter takes any stream; its projection is the message", () => {
    expectTypeOf(of("a").pipe(reportTo(counting))).toEqualTypeOf<Observable<string>>();
    expectTypeOf(of("a").pipe(reportTo(counting, (value) => value))).toEqualTypeOf<Observable<string>>();
    // @ts-expect-error a step takes no value
    of("a").pipe(reportTo(counting, () => 1));
    expectTypeOf(of("a").pipe(reportTo(counting), toArray())).toEqualTypeOf<Observable<string[]>>();
  });
});
