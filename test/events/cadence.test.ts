import fc from "fast-check";
import { asyncScheduler, type Observable, Subject, VirtualTimeScheduler } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cadence, checkCadence, defaultCadence, type RequestEvent } from "../../src/events/index.ts";
import { progressed, question, samples } from "./samples.ts";

const policy = { burst: 2, intervalMs: 5 };

/** Runs a marble picture through `cadence`; one frame is one millisecond. */
function picture(source: string, expected: string, of: Parameters<typeof cadence>[0] = policy) {
  const scheduler = new TestScheduler((actual, wanted) => {
    expect(wanted.length).toBeGreaterThan(0);
    expect(actual).toEqual(wanted);
  });
  scheduler.run(({ hot, expectObservable }) => {
    expectObservable(hot<RequestEvent>(source, samples).pipe(cadence(of, scheduler))).toBe(expected, samples);
  });
}

describe("cadence in marbles", () => {
  it("a burst passes at once", () => {
    picture("(ab|)", "(ab|)");
    picture("ab-----------|", "ab-----------|");
  });

  it("after the burst one update passes per interval, the latest replacing the one that waits", () => {
    picture("abcdefghijkl-----------|", "ab---f----k----l-------|");
  });

  it("an update after a pause of one interval passes at once, and only one", () => {
    picture("(ab)-(cd)-----------|", "(ab)-c----d---------|");
  });

  it("a long pause fills the bucket up to the burst, no further", () => {
    picture("(ab) 46ms (cdef)---------|", "(ab) 46ms (cd)-f---------|");
  });

  it("what waits is flushed without delay before a question", () => {
    picture("(abcdQ)---|", "(abdQ)----|");
  });

  it("what waits is flushed without delay before a notification", () => {
    picture("(abcdN)---|", "(abdN)----|");
  });

  it.each(["R", "E", "I"])("what waits is flushed without delay before the terminal event %s", (terminal) => {
    picture(`(abcd${terminal}|)`, `(abd${terminal}|)`);
  });

  it("what waits is flushed before completion", () => {
    picture("(abcd|)", "(abd|)");
    picture("ab-c|", "ab--(c|)");
  });

  it("1, 2, 3 and the end in the same tick give 3 before the result", () => {
    picture("(abcR|)", "(acR|)", { burst: 1, intervalMs: 100 });
    picture("(abcR|)", "(abcR|)", defaultCadence);
  });

  it("a question that nothing waits for passes at once and costs nothing", () => {
    picture("(QaQb)---|", "(QaQb)---|");
  });

  it("the one that waits goes out once", () => {
    picture("(abc)-----------d---|", "(ab)-c----------d---|");
  });

  it("by default 20 pass at once, then one per 100 ms", () => {
    expect(defaultCadence).toEqual({ burst: 20, intervalMs: 100 });
  });

  it("every lets all pass", () => {
    picture("(abcdefghijklmnoR|)", "(abcdefghijklmnoR|)", "every");
  });
});

describe("time is read at each update", () => {
  /** A clock that moves while no timer can run, as in a tight loop. */
  function stuck() {
    const scheduler = new VirtualTimeScheduler();
    let now = 1_000;
    scheduler.now = () => now;
    const source = new Subject<RequestEvent>();
    const seen: unknown[] = [];
    const subscription = source.pipe(cadence(policy, scheduler)).subscribe((event) => seen.push(event));
    return {
      source,
      seen,
      scheduler,
      subscription,
      pass: (ms: number) => {
        now += ms;
      },
    };
  }

  it("so a handler that never lets timers run is still heard", () => {
    const { source, seen, pass } = stuck();
    for (let at = 1; at <= 20; at += 1) {
      source.next(progressed(at));
      pass(1);
    }
    expect(seen).toEqual([1, 2, 6, 11, 16].map(progressed));
  });

  it("and a clock that is set back silences no one", () => {
    const { source, seen, pass } = stuck();
    for (const at of [1, 2, 3]) source.next(progressed(at));
    pass(-3_600_000);
    source.next(progressed(4));
    pass(policy.intervalMs);
    source.next(progressed(5));
    expect(seen).toEqual([1, 2, 5].map(progressed));
  });

  it("and a timer that is a moment early spends the interval it stands for", () => {
    const { source, seen, pass, scheduler } = stuck();
    for (const at of [1, 2, 3]) source.next(progressed(at));
    pass(policy.intervalMs - 1);
    scheduler.flush();
    expect(seen).toEqual([1, 2, 3].map(progressed));
    pass(1);
    source.next(progressed(4));
    expect(seen).toHaveLength(3);
    pass(policy.intervalMs - 1);
    source.next(progressed(5));
    expect(seen).toEqual([1, 2, 3, 5].map(progressed));
  });
});

describe("the timer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function timed(): { source: Subject<RequestEvent>; seen: RequestEvent[]; out: Observable<RequestEvent> } {
    const source = new Subject<RequestEvent>();
    return { source, seen: [], out: source.pipe(cadence(policy)) };
  }

  it("exists only while an update waits", () => {
    const { source, seen, out } = timed();
    out.subscribe((event) => seen.push(event));
    for (const at of [1, 2]) source.next(progressed(at));
    expect(vi.getTimerCount()).toBe(0);
    for (const at of [3, 4, 5]) source.next(progressed(at));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(policy.intervalMs);
    expect(seen).toEqual([1, 2, 5].map(progressed));
    expect(vi.getTimerCount()).toBe(0);
    source.next(progressed(6));
    expect(vi.getTimerCount()).toBe(1);
    source.next(question);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(seen).toEqual([...[1, 2, 5, 6].map(progressed), question]);
  });

  it("is cleared by unsubscribing, and what waited is dropped", () => {
    const { source, seen, out } = timed();
    const subscription = out.subscribe((event) => seen.push(event));
    for (const at of [1, 2, 3]) source.next(progressed(at));
    expect(vi.getTimerCount()).toBe(1);
    subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(seen).toEqual([1, 2].map(progressed));
    expect(source.observed).toBe(false);
  });

  it("is cleared by completion", () => {
    const { source, out } = timed();
    out.subscribe();
    for (const at of [1, 2, 3]) source.next(progressed(at));
    source.complete();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("the timer does not hold the process", () => {
  const held = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = held();
  const source = new Subject<RequestEvent>();
  const subscription = source.pipe(cadence({ burst: 1, intervalMs: 60_000 })).subscribe();
  for (const at of [1, 2]) source.next(progressed(at));
  expect(held()).toBe(before);
  const control = asyncScheduler.schedule(() => undefined, 60_000);
  expect(held()).toBe(before + 1);
  control.unsubscribe();
  subscription.unsubscribe();
});

describe("re-entrant emission", () => {
  it("causes nothing to be lost or sent twice", () => {
    const source = new Subject<RequestEvent>();
    const seen: RequestEvent[] = [];
    source.pipe(cadence(policy, new VirtualTimeScheduler())).subscribe((event) => {
      seen.push(event);
      if (event.type === "progress" && event.progress < 5) source.next(progressed(event.progress + 1));
    });
    source.next(progressed(1));
    source.next(progressed(9));
    source.complete();
    expect(seen).toEqual([1, 2, 9].map(progressed));
  });

  it("in answer to the update flushed before a question comes after the question", () => {
    const scheduler = new VirtualTimeScheduler();
    const source = new Subject<RequestEvent>();
    const seen: RequestEvent[] = [];
    source.pipe(cadence({ burst: 1, intervalMs: 5 }, scheduler)).subscribe((event) => {
      seen.push(event);
      if (event.type === "progress" && event.progress === 2) source.next(progressed(3));
    });
    for (const event of [progressed(1), progressed(2)]) source.next(event);
    // The interval is over and its timer has not run yet, so the answer may pass at once.
    scheduler.now = () => 5;
    source.next(question);
    source.complete();
    expect(seen).toEqual([progressed(1), progressed(2), question, progressed(3)]);
  });
});

it("for any series and pauses at most burst plus one per interval pass, in order, and the last always does", () => {
  const steps = fc.array(fc.record({ pause: fc.nat(12), count: fc.nat(9) }), { minLength: 1 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 }), (series, burst, intervalMs) => {
      const scheduler = new VirtualTimeScheduler();
      const source = new Subject<RequestEvent>();
      const seen: { progress: number; at: number }[] = [];
      source.pipe(cadence({ burst, intervalMs }, scheduler)).subscribe((event) => {
        if (event.type === "progress") seen.push({ progress: event.progress, at: scheduler.now() });
      });
      let last = 0;
      let due = 0;
      for (const { pause, count } of series) {
        due += pause;
        scheduler.schedule(() => {
          for (let done = 0; done < count; done += 1) source.next(progressed(++last));
        }, due);
      }
      scheduler.schedule(() => source.complete(), due);
      scheduler.flush();
      const values = seen.map(({ progress }) => progress);
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      expect(values.at(-1) ?? 0).toBe(last);
      // One more than the bucket allows: completion flushes what waits without delay.
      for (const [index, { at }] of seen.entries()) {
        const window = (seen.at(-1)?.at ?? 0) - at;
        expect(seen.length - index).toBeLessThanOrEqual(burst + Math.floor(window / intervalMs) + 2);
      }
    }),
  );
});

describe("checkCadence", () => {
  it.each([0, -1, 1.5, Number.NaN, Infinity])("refuses a burst of %s", (burst) => {
    expect(() => checkCadence({ burst, intervalMs: 1 })).toThrow(RangeError);
  });

  it.each([0, -1, Number.NaN, Infinity, 2 ** 31])("refuses an interval of %s ms", (intervalMs) => {
    expect(() => checkCadence({ burst: 1, intervalMs })).toThrow(RangeError);
  });

  it("hands on what is right", () => {
    expect(checkCadence("every")).toBe("every");
    expect(checkCadence(policy)).toBe(policy);
    expect(checkCadence({ burst: 1, intervalMs: 0.5 })).toEqual({ burst: 1, intervalMs: 0.5 });
  });
});
