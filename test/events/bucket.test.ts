import { expect, it } from "vitest";
import { Bucket } from "../../src/events/bucket.ts";

const bucket = () => new Bucket({ burst: 2, intervalMs: 10 }, 100);
const takenAt = (times: readonly number[]) => {
  const tokens = bucket();
  return times.map((now) => tokens.take(now));
};

it("begins full, and earns one token an interval", () => {
  expect(takenAt([100, 100, 100, 109, 110, 110])).toEqual([true, true, false, false, true, false]);
});

it("holds no more than its burst, however long nothing is taken", () => {
  expect(takenAt([900, 900, 900])).toEqual([true, true, false]);
});

it("keeps the part of an interval that has passed", () => {
  expect(takenAt([100, 100, 115, 120])).toEqual([true, true, true, true]);
});

it("begins to count anew when the clock was set back", () => {
  expect(takenAt([100, 100, 50, 60])).toEqual([true, true, false, true]);
});

it("says when the next token comes, and gives it to a timer that is early", () => {
  const tokens = bucket();
  tokens.take(100);
  tokens.take(100);
  expect(tokens.nextAt).toBe(110);
  tokens.takeDue(109);
  expect(tokens.nextAt).toBe(119);
  expect(tokens.take(118)).toBe(false);
});
