import { runInNewContext } from "node:vm";
import { map, merge, Subject, share, take } from "rxjs";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import type { ProgressUpdate } from "../../src/progress/index.ts";
import { createRecorder } from "./recorder.ts";
import { goAstray, strayErrors } from "./stray.ts";

const fail = (): void => {
  throw new Error("subscriber");
};

it("shows what the emitter accepts, heard by the client or not", () => {
  const { source, sent } = createRecorder({ listening: false });
  const emitter = source.longProgress(3);
  const seen: ProgressUpdate[] = [];
  emitter.updates.subscribe((update) => seen.push(update));
  emitter.emit(1);
  expect(() => emitter.emit(1)).toThrow();
  emitter.emit(2, "two");
  expect(seen).toEqual([
    { progress: 1, total: 3 },
    { progress: 2, total: 3, message: "two" },
  ]);
  expect(sent).toEqual([]);
});

it("hands out an observable, not the subject behind it", () => {
  const { updates } = createRecorder().source.longProgress();
  expect(updates).not.toBeInstanceOf(Subject);
  expect("next" in updates).toBe(false);
});

describe("order is emission order", () => {
  it("when a subscriber of updates emits while it is being notified", () => {
    const { source, sent } = createRecorder();
    const emitter = source.countingProgress();
    const [first, second]: [number[], number[]] = [[], []];
    emitter.updates.subscribe(({ progress }) => {
      first.push(progress);
      if (progress < 4) emitter.emit();
    });
    emitter.updates.subscribe(({ progress }) => second.push(progress));
    emitter.emit();
    expect([first, second, sent.map(({ progress }) => progress)]).toEqual(Array(3).fill([1, 2, 3, 4]));
  });

  it("when a subscriber of the request emits while it is being notified", () => {
    const { source, events } = createRecorder();
    const emitter = source.countingProgress();
    const seen: number[] = [];
    emitter.updates.subscribe(({ progress }) => seen.push(progress));
    events.pipe(take(3)).subscribe(() => emitter.emit());
    emitter.emit();
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it("and 100,000 emissions that cause one another neither overflow the stack nor pile up", () => {
    const emitter = createRecorder().source.countingProgress();
    emitter.updates.subscribe(({ progress }) => {
      if (progress < 100_000) emitter.emit();
    });
    emitter.emit();
    expect(emitter.last).toBe(100_000);
  });

  it("and 100,000 emissions out of one notification are delivered in time and in order", () => {
    const emitter = createRecorder({ listening: false }).source.countingProgress();
    let last = 0;
    let ordered = true;
    emitter.updates.pipe(take(1)).subscribe(() => {
      while ((emitter.last ?? 0) < 100_000) emitter.emit();
    });
    emitter.updates.subscribe(({ progress }) => {
      ordered &&= progress === last + 1;
      last = progress;
    });
    emitter.emit();
    expect([last, ordered]).toEqual([100_000, true]);
  });
});

describe("a failing subscriber hurts nobody", () => {
  const failing: [string, (updates: ReturnType<typeof emitterOf>["updates"]) => void][] = [
    ["a throwing function", (updates) => updates.subscribe(fail)],
    ["a throwing observer", (updates) => updates.subscribe({ next: fail })],
    ["a rejecting async function", (updates) => updates.subscribe(async () => fail())],
    [
      "one that rejects with a promise of another realm",
      (updates) =>
        updates.subscribe(() => runInNewContext("Promise.reject(error)", { error: new Error("subscriber") })),
    ],
    [
      "a throwing function behind operators",
      (updates) => updates.pipe(map((update) => update.progress)).subscribe(fail),
    ],
    ["a throwing operator", (updates) => updates.pipe(map(fail)).subscribe()],
    ["a throwing function behind share", (updates) => updates.pipe(share()).subscribe(fail)],
    ["a rejecting one behind operators", (updates) => updates.pipe(map((u) => u)).subscribe(async () => fail())],
  ];

  function emitterOf(recorder: ReturnType<typeof createRecorder>) {
    return recorder.source.longProgress();
  }

  it.each(failing)("%s is reported once, others and the call go on, the process sees nothing", async (_, subscribe) => {
    const recorder = createRecorder();
    const emitter = emitterOf(recorder);
    const seen: number[] = [];
    const stray = await strayErrors(() => {
      subscribe(emitter.updates);
      emitter.updates.subscribe(({ progress }) => seen.push(progress));
      for (const value of [1, 2, 3]) expect(emitter.emit(value)).toBe(true);
    });
    expect(stray).toEqual([]);
    expect(seen).toEqual([1, 2, 3]);
    expect(recorder.sent).toHaveLength(3);
    expect(recorder.diagnostics).toMatchObject([{ type: "subscriber-failed", cause: new Error("subscriber") }]);
  });

  it("while a plain observable's failure and a stray rejection do reach the process", async () => {
    expect(await strayErrors(goAstray)).toHaveLength(2);
  });

  it("also in complete and error", async () => {
    const { source, diagnostics } = createRecorder();
    const emitter = source.longProgress();
    const stray = await strayErrors(() => {
      emitter.updates.pipe(take(1)).subscribe({ complete: fail });
      emitter.updates.pipe(map(fail)).subscribe({ error: fail });
      emitter.emit(1);
    });
    expect(stray).toEqual([]);
    expect(diagnostics).toHaveLength(1);
  });
});

it("an observer's methods keep their object", () => {
  const emitter = createRecorder().source.longProgress();
  const seen: unknown[] = [];
  class Collector {
    readonly name = "collector";
    next() {
      seen.push(this.name);
    }
    complete() {
      seen.push(`${this.name} is done`);
    }
    error() {}
  }
  emitter.updates.pipe(take(1)).subscribe(new Collector());
  const complete = vi.fn();
  emitter.updates.pipe(take(1)).subscribe(null, null, complete);
  emitter.emit(1);
  expect(seen).toEqual(["collector", "collector is done"]);
  expect(complete).toHaveBeenCalledOnce();
});

it("an unsubscribed subscriber is let go", () => {
  const emitter = createRecorder().source.longProgress();
  const seen: number[] = [];
  const subscription = merge(emitter.updates, emitter.updates).subscribe(({ progress }) => seen.push(progress));
  emitter.emit(1);
  subscription.unsubscribe();
  emitter.emit(2);
  expect(seen).toEqual([1, 1]);
});

it("is typed as updates", () => {
  const { updates } = createRecorder().source.longProgress();
  updates.subscribe((update) => expectTypeOf(update).toEqualTypeOf<ProgressUpdate>());
  expectTypeOf<ProgressUpdate>().toEqualTypeOf<{
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }>();
});
