import { Subject, share } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { expect, it } from "vitest";
import { inOrder } from "../../src/events/index.ts";

it("passes everything on when it comes", () => {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(expected.length).toBeGreaterThan(0);
    expect(actual).toEqual(expected);
  });
  scheduler.run(({ cold, expectObservable }) => {
    expectObservable(cold("a-(bc)-d|").pipe(inOrder())).toBe("a-(bc)-d|");
    expectObservable(cold("a-#").pipe(inOrder())).toBe("a-#");
  });
});

it("an emission caused while a subscriber is notified waits its turn, for every subscriber", () => {
  const source = new Subject<number>();
  const shared = source.pipe(inOrder(), share());
  const [first, second]: [number[], number[]] = [[], []];
  shared.subscribe((value) => {
    first.push(value);
    if (value < 4) source.next(value + 1);
  });
  shared.subscribe((value) => second.push(value));
  source.next(1);
  expect(first).toEqual([1, 2, 3, 4]);
  expect(second).toEqual([1, 2, 3, 4]);
});

it("a plain Subject reverses that", () => {
  const source = new Subject<number>();
  const second: number[] = [];
  source.subscribe((value) => value === 1 && source.next(2));
  source.subscribe((value) => second.push(value));
  source.next(1);
  expect(second).toEqual([2, 1]);
});

it.each(["complete", "error"] as const)("%s waits its turn too", (end) => {
  const source = new Subject<number | undefined>();
  const seen: unknown[] = [];
  source.pipe(inOrder()).subscribe({
    next: (value) => {
      seen.push(value);
      if (value !== 1) return;
      source.next(undefined);
      source.next(3);
      if (end === "complete") source.complete();
      else source.error("error");
    },
    complete: () => seen.push("complete"),
    error: (error) => seen.push(error),
  });
  source.next(1);
  expect(seen).toEqual([1, undefined, 3, end]);
});

it("nothing follows once the subscriber has left, also of what waits", () => {
  const source = new Subject<number>();
  const seen: number[] = [];
  const subscription = source.pipe(inOrder()).subscribe((value) => {
    seen.push(value);
    if (value !== 1) return;
    source.next(2);
    subscription.unsubscribe();
  });
  source.next(1);
  source.next(3);
  expect(seen).toEqual([1]);
  expect(source.observed).toBe(false);
});

it("100,000 emissions that cause one another do not overflow the stack", () => {
  const source = new Subject<number>();
  let last = 0;
  source.pipe(inOrder()).subscribe((value) => {
    last = value;
    if (value < 100_000) source.next(value + 1);
  });
  source.next(1);
  expect(last).toBe(100_000);
});
