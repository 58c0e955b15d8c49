import { expect, expectTypeOf, it } from "vitest";
import type { McpProgressSource } from "../../src/progress/index.ts";
import { createRecorder } from "./recorder.ts";

it("wrong use does not compile, and throws where it can", () => {
  const { source } = createRecorder({ listening: false });
  const [double, counting, percent] = [source.doubleProgress(), source.countingProgress(), source.percentProgress()];
  // @ts-expect-error progress is a number
  expect(() => double.emit("1")).toThrow(RangeError);
  // @ts-expect-error progress is required
  expect(() => double.emit()).toThrow(RangeError);
  // @ts-expect-error a step takes a message, not a value
  expect(() => counting.emit(1)).toThrow(TypeError);
  // @ts-expect-error percent has no total of its own
  expect(source.percentProgress(100).total).toBe(1);
  expect(() => {
    // @ts-expect-error the last value is read only
    percent.last = 1;
  }).toThrow(TypeError);
  // @ts-expect-error only percent is completed
  expect(double.complete).toBeUndefined();
});

it("emitters return whether a listening client was told", () => {
  type Emitter = ReturnType<
    McpProgressSource["doubleProgress" | "longProgress" | "countingProgress" | "percentProgress"]
  >;
  expectTypeOf<ReturnType<Emitter["emit"]>>().toBeBoolean();
  expectTypeOf<Emitter["last"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Emitter["total"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<McpProgressSource["progress"]>().returns.toBeBoolean();
});
