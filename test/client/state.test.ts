import fc from "fast-check";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect, type ProgressInput, type ProgressState, progressState } from "mcp-headway/client";
import { from, lastValueFrom, type Observable, of, Subject, toArray } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, expectTypeOf, it } from "vitest";

const run = (test: Parameters<TestScheduler["run"]>[0]) =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);
const update = (progress: number, total?: number, message?: string): ProgressUpdate => ({
  progress,
  ...(total === undefined ? {} : { total }),
  ...(message === undefined ? {} : { message }),
});
const statesOf = (updates: readonly ProgressUpdate[]): Promise<ProgressState[]> =>
  lastValueFrom(from(updates).pipe(progressState({ clock: { now: () => 0 } }), toArray()));
/** The states of updates 0 to `last`, one per second unless `timeOf` says when each came. */
function over(last: number, updateAt: (at: number) => ProgressUpdate, timeOf = (at: number) => at * 1_000) {
  let at = 0;
  const source = new Subject<ProgressUpdate>();
  const states: ProgressState[] = [];
  source.pipe(progressState({ clock: { now: () => timeOf(at) } })).subscribe((state) => states.push(state));
  for (; at <= last; at += 1) source.next(updateAt(at));
  return states;
}

describe("progressState", () => {
  it("waits from subscription, runs with the updates and ends with nothing else at the result", () => {
    run(({ cold, expectObservable }) => {
      const events = cold<ProgressInput>("-a-(r|)", {
        a: { type: "progress", progress: 1, total: 4, message: "one" },
        r: { type: "result", result: {} },
      });
      expectObservable(events.pipe(progressState())).toBe("wa-(e|)", {
        w: { state: "waiting" },
        a: { state: "running", progress: 1, total: 4, message: "one", fraction: 0.25 },
        e: { state: "ended" },
      });
    });
  });

  it("ends once, whether the call fails, errors or completes", () => {
    run(({ cold, expectObservable }) => {
      const error = { type: "error", error: { code: -32603, message: "no" } } as const;
      const states = { w: { state: "waiting" }, e: { state: "ended" } };
      expectObservable(cold<ProgressInput>("-(x|)", { x: error }).pipe(progressState())).toBe("w(e|)", states);
      expectObservable(cold<ProgressInput>("-#").pipe(progressState())).toBe("w(e#)", states);
      expectObservable(cold<ProgressUpdate>("-|").pipe(progressState())).toBe("w(e|)", states);
    });
  });

  it("drops values that do not increase or are not finite", async () => {
    const values = [1, 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2];
    const states = await statesOf(values.map((value) => update(value)));
    expect(states.map(({ progress }) => progress)).toEqual([undefined, 1, 2, undefined]);
  });

  it("has a fraction only with a positive total, from 0 to 1", async () => {
    const states = await statesOf([update(-1, 4), update(1), update(2, 0), update(3, 4), update(9, 4)]);
    expect(states.map(({ fraction }) => fraction)).toEqual([undefined, 0, undefined, undefined, 0.75, 1, undefined]);
  });

  it("keeps the last message until another comes", async () => {
    const states = await statesOf([update(1, undefined, "one"), update(2), update(3, undefined, "")]);
    expect(states.map(({ message }) => message)).toEqual([undefined, "one", "one", "", undefined]);
  });

  it("knows rate and time left from the second moment on, on the clock it is given", () => {
    run(({ cold, expectObservable }) => {
      const updates = cold("a 999ms b 999ms c", { a: update(0, 10), b: update(2, 10), c: update(4, 10) });
      expectObservable(updates.pipe(progressState())).toBe("(wa) 996ms b 999ms c", {
        w: { state: "waiting" },
        a: { state: "running", progress: 0, total: 10, fraction: 0 },
        b: {
          state: "running",
          progress: 2,
          total: 10,
          fraction: 0.2,
          ratePerSecond: expect.closeTo(2),
          etaMs: expect.closeTo(4_000),
        },
        c: {
          state: "running",
          progress: 4,
          total: 10,
          fraction: 0.4,
          ratePerSecond: expect.closeTo(2),
          etaMs: expect.closeTo(3_000),
        },
      });
    });
  });

  it("weighs recent speed more than what is long past", () => {
    const states = over(40, (second) => update(second <= 20 ? second : 20 + 10 * (second - 20)));
    expect(states.at(21)?.ratePerSecond).toBeCloseTo(1);
    expect(states.at(23)?.ratePerSecond).toBeGreaterThan(2);
    expect(states.at(-1)?.ratePerSecond).toBeGreaterThan(9);
    expect(states.at(-1)?.ratePerSecond).toBeLessThanOrEqual(10);
  });

  it("takes a pulse for a sign of life, and for no progress", () => {
    const beat = 2 ** -47;
    expect(over(3, (second) => update(50 + second * beat, 100)).slice(1)).toMatchObject(
      [0, 1, 2, 3].map((second) => ({ state: "running", progress: 50 + second * beat })),
    );
    for (const state of over(3, (second) => update(50 + second * beat, 100))) {
      expect(state).not.toHaveProperty("ratePerSecond");
      expect(state).not.toHaveProperty("etaMs");
    }
    expect(over(1, (second) => update(second - 2 ** -1000)).at(-1)?.ratePerSecond).toBeCloseTo(1);
    expect(over(1, (second) => update((second - 1) * 2 ** -1000)).at(-1)).not.toHaveProperty("ratePerSecond");
  });

  it.each([
    ["in a burst", [0, 1_000, 1_000, 2_000], 1_500],
    ["on a clock that was set back", [0, 1_000, -9_000_000, -8_999_000], 1_500],
  ])("counts what came %s with what follows", (_title, times, least) => {
    const states = over(
      3,
      (at) => update(at),
      (at) => times[at] ?? 0,
    );
    const rates = states.slice(1).map(({ ratePerSecond = 0 }) => Math.round(1_000 * ratePerSecond));
    expect(rates.slice(0, 3)).toEqual([0, 1_000, 1_000]);
    expect(rates[3]).toBeGreaterThan(least);
    expect(rates[3]).toBeLessThan(2_000);
  });

  it("counts the time left towards the total as it is now, and to nothing once that is passed", () => {
    const totals = [10, 10, 100, 2, undefined];
    const states = over(4, (second) => update(second, totals[second]));
    expect(states.slice(1).map(({ fraction }) => fraction)).toEqual([0, 0.1, 0.02, 1, undefined]);
    const left = states.slice(1).map(({ etaMs }) => (etaMs === undefined ? undefined : Math.round(etaMs)));
    expect(left).toEqual([undefined, 9_000, 98_000, 0, undefined]);
  });

  it("leaves the time around a question out of the rate, and keeps what it knew", () => {
    run(({ cold, expectObservable }) => {
      const question = { type: "elicitation", key: "k", request: { method: "elicitation/create" } } as const;
      const events = cold<ProgressUpdate | typeof question>("a 999ms b q 997ms c 999ms d", {
        a: update(0),
        b: update(2),
        q: question,
        c: update(9),
        d: update(11),
      });
      const ratePerSecond = expect.closeTo(2);
      expectObservable(events.pipe(progressState())).toBe("(wa) 996ms b q 997ms c 999ms d", {
        w: { state: "waiting" },
        a: { state: "running", progress: 0 },
        b: { state: "running", progress: 2, ratePerSecond },
        q: { state: "asking", progress: 2, ratePerSecond },
        c: { state: "running", progress: 9, ratePerSecond },
        d: { state: "running", progress: 11, ratePerSecond },
      });
    });
  });

  it("says nothing that is not finite, whatever the values and the clock", () => {
    const times = fc.array(fc.record({ progress: fc.double(), total: fc.double(), step: fc.integer() }));
    fc.assert(
      fc.property(times, (items) => {
        let nowMs = 0;
        const source = new Subject<ProgressUpdate>();
        const seen: ProgressState[] = [];
        source.pipe(progressState({ clock: { now: () => nowMs } })).subscribe((state) => seen.push(state));
        for (const { progress, total, step } of items) {
          nowMs += step;
          source.next({ progress, total });
        }
        for (const { total = 0, fraction = 0, ratePerSecond = 0, etaMs = 0 } of seen) {
          expect([total, ratePerSecond, etaMs].every(Number.isFinite)).toBe(true);
          expect(fraction >= 0 && fraction <= 1 && ratePerSecond >= 0 && etaMs >= 0).toBe(true);
        }
        const values = seen.flatMap(({ progress }) => (progress === undefined ? [] : [progress]));
        expect(values.slice(1).every((value, at) => value > Number(values[at]))).toBe(true);
      }),
    );
  });

  it("is born anew with each subscription", async () => {
    const states = of(update(1)).pipe(progressState({ clock: { now: () => 0 } }), toArray());
    expect(await lastValueFrom(states)).toEqual(await lastValueFrom(states));
    expect(await lastValueFrom(states)).toHaveLength(3);
  });

  it("shows a call of a tool", async () => {
    const tool = defineTool({
      name: "t",
      description: "Reports",
      handler: (_args, ctx) => {
        const emitter = ctx.countingProgress(2);
        emitter.emit("first");
        emitter.emit();
      },
    });
    const server = createMcpServer({ name: "s", version: "1", tools: [tool] });
    const states = await lastValueFrom(
      connect(server)
        .streamTool("t")
        .pipe(progressState({ clock: { now: () => 0 } }), toArray()),
    );
    expect(states).toEqual([
      { state: "waiting" },
      { state: "running", progress: 1, total: 2, message: "first", fraction: 0.5 },
      { state: "running", progress: 2, total: 2, message: "first", fraction: 1 },
      { state: "ended" },
    ]);
  });

  it("reads the events of a call, of a request, and bare updates, and nothing else", () => {
    const read = progressState();
    expectTypeOf(read).parameter(0).toExtend<Observable<unknown>>();
    expectTypeOf(read).returns.toEqualTypeOf<Observable<ProgressState>>();
    expectTypeOf(of(update(1)).pipe(progressState())).toEqualTypeOf<Observable<ProgressState>>();
    // @ts-expect-error text is no update
    of("1").pipe(progressState());
  });
});
