import { type ObservedEvent, type OfficialProgress, observeProgress } from "mcp-headway/client";
import { firstValueFrom, lastValueFrom, type Observable, take, toArray } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";

const all = <T>(events: Observable<T>): Promise<T[]> => lastValueFrom(events.pipe(toArray()));

describe("observeProgress", () => {
  it("calls once more for each subscription, and leaves the signal of a call that is over alone", async () => {
    const signals: AbortSignal[] = [];
    const events = observeProgress(async ({ signal }) => {
      signals.push(signal);
      return 1;
    });
    expect(signals).toEqual([]);
    expect(await all(events)).toEqual([{ type: "result", result: 1 }]);
    expect(await firstValueFrom(events.pipe(take(1)))).toEqual({ type: "result", result: 1 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it("errors with what the call throws or rejects with", async () => {
    const error = new Error("no");
    await expect(all(observeProgress(() => Promise.reject(error)))).rejects.toBe(error);
    const thrown = observeProgress((): Promise<never> => {
      throw error;
    });
    await expect(all(thrown)).rejects.toBe(error);
  });

  it("lets through only what increases, without the parts that are undefined", async () => {
    const events = observeProgress(async ({ onprogress }) => {
      for (const progress of [1, 1, 0, Number.NaN, 2]) onprogress({ progress, total: undefined, message: undefined });
    });
    const updates = (await all(events)).filter(({ type }) => type === "progress");
    expect(updates).toStrictEqual([
      { type: "progress", progress: 1 },
      { type: "progress", progress: 2 },
    ]);
  });

  it("leaves out what counts the rounds in the client's words, and nothing that is only like it", async () => {
    const words = (round: number, method = "tools/call") => `Fulfilling input required by '${method}' (round ${round})`;
    const real: OfficialProgress[] = [
      { progress: 1, total: 5, message: words(1) },
      { progress: 1.5, message: words(1) },
      { progress: 2, message: words(3) },
      { progress: 3, message: words(3) },
      { progress: 4, message: words(2, "t") },
      { progress: 5, message: `${words(2)}.` },
    ];
    const madeUp: OfficialProgress[] = [
      { progress: 1, message: words(1) },
      { progress: 2, message: words(2, "prompts/get") },
    ];
    const observed = observeProgress(async ({ onprogress }) => {
      for (const update of [...real.slice(0, 2), madeUp[0], ...real.slice(2), madeUp[1]])
        if (update) onprogress(update);
    });
    expect((await all(observed)).slice(0, -1)).toEqual(real.map((update) => ({ type: "progress", ...update })));
  });

  it("infers the result from the call", () => {
    const events = observeProgress(async () => ({ rows: 3 }));
    expectTypeOf(events).toEqualTypeOf<Observable<ObservedEvent<{ rows: number }>>>();
    // @ts-expect-error a call gives a promise
    observeProgress(() => 3);
  });
});
