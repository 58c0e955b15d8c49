import { TestScheduler } from "rxjs/testing";
import { expect, it } from "vitest";
import type { CallEvent } from "../../src/client/event.ts";
import { increasing } from "../../src/client/increasing.ts";

const at = (progress: number): CallEvent => ({ type: "progress", progress });
const values = {
  n: at(-5),
  o: at(-1),
  z: at(0),
  a: at(1),
  b: at(2),
  c: at(3),
  e: at(5),
  i: at(Number.POSITIVE_INFINITY),
  x: at(Number.NaN),
  R: { type: "result", result: {} } as const,
};

it.each([
  ["lets through what increases", "aabcbe(R|)", "a-bc-e(R|)"],
  ["takes a negative start", "nozaR|", "nozaR|"],
  ["drops what is not finite and is not held back by it", "aixbR|", "a--bR|"],
  ["never drops a result", "ecR|", "e-R|"],
  ["passes errors on", "ab#", "ab#"],
])("%s", (_title, input, output) => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run(({ cold, expectObservable }) => {
    expectObservable(cold(input, values).pipe(increasing())).toBe(output, values);
  });
});

it("starts afresh with each subscription", () => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run(({ cold, expectObservable }) => {
    const once = cold("ab|", values).pipe(increasing());
    expectObservable(once).toBe("ab|", values);
    expectObservable(once, "---^").toBe("---ab|", values);
  });
});
