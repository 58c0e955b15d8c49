import fc from "fast-check";
import { expect, it } from "vitest";
import { printCount, printPercent, printRate, printTime } from "../../src/terminal/figures.ts";

it.each([
  [0, "0"],
  [-0, "0"],
  [-1e-302, "0"],
  [-3, "-3"],
  [0.125, "0.13"],
  [1_234, "1,234"],
  [-9_999.99, "-9,999.99"],
  [-10_062.905, "-10,063"],
  [99_999, "99,999"],
  [99_999.7, "100k"],
  [1_250_000, "1.3M"],
  [999_600, "1M"],
  [4_294_967_296, "4.3G"],
  [-2.5e12, "-2.5T"],
  [1e300, "1e+300"],
])("prints the count %d as %s", (count, expected) => {
  expect(printCount(count)).toBe(expected);
});

it.each([
  [22.4, "22/s"],
  [1.26, "1.3/s"],
  [0.5, "30/min"],
  [0.001, "3.6/h"],
  [1e-15, ""],
  [1.7e9, "1.7G/s"],
  [1e300, "1e+300/s"],
])("prints the rate %d as %s", (perSecond, expected) => {
  expect(printRate(perSecond)).toBe(expected);
});

it.each([
  [1, "0:01"],
  [61_000, "1:01"],
  [3_599_001, "1h00"],
  [45_296_000, "12h34"],
  [8.64e7 * 30, "30d"],
  [8.64e7 * 999, "999d"],
  [8.64e7 * 1_000, ""],
  [1e300, ""],
])("prints %d ms as %s", (ms, expected) => {
  expect(printTime(ms)).toBe(expected);
});

it("says 100 % only of what is done", () => {
  expect([0, 0.999, 1].map(printPercent)).toEqual(["0 %", "99 %", "100 %"]);
});

it("stays short, whatever the number", () => {
  const any = fc.double({ noNaN: true, noDefaultInfinity: true });
  // Most doubles are huge or tiny: those that people count are tried as often.
  const counted = fc.double({ noNaN: true, min: -1e7, max: 1e7 });
  fc.assert(
    fc.property(fc.oneof(any, counted), (value) => {
      expect(printCount(value).length).toBeLessThanOrEqual(9);
      expect(printTime(Math.abs(value)).length).toBeLessThanOrEqual(5);
      if (value > 0) expect(printRate(value).length).toBeLessThanOrEqual(10);
    }),
  );
});
