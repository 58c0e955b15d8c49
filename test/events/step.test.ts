import fc from "fast-check";
import { expect, it } from "vitest";
import { beforeZero, nextUp } from "../../src/events/step.ts";

const smallest = 2 ** -1022;
const normal = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => Math.abs(value) > smallest);

it("is above its value, and nothing that can be represented lies between", () => {
  fc.assert(
    fc.property(normal, (value) => {
      const next = nextUp(value);
      expect(next).toBeGreaterThan(value);
      const middle = value / 2 + next / 2;
      expect(middle === value || middle === next || !Number.isFinite(next)).toBe(true);
    }),
  );
});

it("is read from JSON as what it is", () => {
  fc.assert(
    fc.property(normal, (value) => {
      const next = nextUp(value);
      if (Number.isFinite(next)) expect(JSON.parse(JSON.stringify(next))).toBe(next === 0 ? 0 : next);
    }),
  );
});

it.each([
  [1, 1 + Number.EPSILON],
  [-1, -1 + Number.EPSILON / 2],
  [2 ** 53, 2 ** 53 + 2],
  [0, smallest],
  [-0, smallest],
  [Number.MIN_VALUE, smallest],
  [-Number.MIN_VALUE, 0],
  [-smallest, 0],
  [Number.MAX_VALUE, Number.POSITIVE_INFINITY],
])("after %d comes %d, and never a subnormal number", (value, next) => {
  expect(nextUp(value)).toBe(next);
});

it("begins so that many steps lie before 0, none of them subnormal", () => {
  let value = beforeZero;
  for (let step = 0; step < 1_000; step += 1) value = nextUp(value);
  expect(value).toBeLessThan(-smallest);
  expect(value).toBeGreaterThan(beforeZero);
});
