import { Subject, VirtualTimeScheduler } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import {
  type Diagnostic,
  type Line,
  type PulseOptions,
  type RequestEvent,
  requestStream,
  type StreamOptions,
} from "../../src/events/index.ts";
import { beforeZero, nextUp } from "../../src/events/step.ts";
import { ProgressSource } from "../../src/progress/index.ts";
import { question } from "./samples.ts";

const every10 = { everyMs: 10, forMs: 1_000 };

/** A request under virtual time, and what it said when. */
function open(options: Partial<StreamOptions> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const seen: [at: number, event: RequestEvent][] = [];
  const diagnostics: Diagnostic[] = [];
  let opened: Line | undefined;
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const stream = requestStream({ listening: true, report, cadence: "every", scheduler, ...options }, (line) => {
    opened = line;
  });
  const subscription = stream.subscribe((event) => seen.push([scheduler.frame, event]));
  if (opened === undefined) throw new Error("Expected the run to have started");
  const line: Line = opened;
  const advance = (toMs: number): void => {
    scheduler.maxFrames = toMs;
    scheduler.flush();
    scheduler.frame = toMs;
  };
  return { line, source: new ProgressSource(line), seen, diagnostics, advance, scheduler, subscription };
}

const valuesOf = (seen: readonly [number, RequestEvent][]) =>
  seen.map(([at, event]) => [at, event.type === "progress" ? event.progress : event.type]);

describe("a pulse", () => {
  it("reports the next representable value while the request is silent", () => {
    const { line, source, seen, advance } = open();
    source.progress(5, 9, "at work");
    line.pulse(every10);
    advance(25);
    const second = nextUp(5);
    expect(seen.map(([at, event]) => [at, event])).toEqual([
      [0, { type: "progress", progress: 5, total: 9, message: "at work" }],
      [10, { type: "progress", progress: second, total: 9, message: "at work" }],
      [20, { type: "progress", progress: nextUp(second), total: 9, message: "at work" }],
    ]);
  });

  it("counts the silence from the last report", () => {
    const { line, source, seen, advance } = open();
    line.pulse(every10);
    for (const at of [6, 12, 18]) {
      advance(at);
      source.progress(at);
    }
    advance(29);
    expect(valuesOf(seen)).toEqual([
      [6, 6],
      [12, 12],
      [18, 18],
      [28, nextUp(18)],
    ]);
  });

  it("says its own message instead, when it has one", () => {
    const { line, source, seen, advance } = open();
    source.progress(1, undefined, "begun");
    line.pulse({ ...every10, message: "still there" });
    advance(10);
    expect(seen.at(-1)?.[1]).toEqual({ type: "progress", progress: nextUp(1), message: "still there" });
  });

  it("leaves a first report of 0 its place", () => {
    const { line, source, seen, diagnostics, advance } = open();
    line.pulse(every10);
    advance(20);
    expect(source.percentProgress().complete(0, "begun")).toBe(true);
    expect(valuesOf(seen)).toEqual([
      [10, beforeZero],
      [20, nextUp(beforeZero)],
      [20, 0],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it("goes through no guard: an emitter goes on from its own last value", () => {
    const { line, source, advance } = open();
    const emitter = source.longProgress(9);
    emitter.emit(5);
    line.pulse(every10);
    advance(30);
    expect(emitter.last).toBe(5);
    expect(() => emitter.emit(5)).toThrow(/greater/i);
    expect(emitter.emit(6)).toBe(true);
  });

  it("is no conflict between emitters, however near they come", () => {
    const { line, source, seen, diagnostics, advance } = open();
    source.progress(5);
    line.pulse(every10);
    advance(30);
    const before = seen.length;
    expect(source.progress(nextUp(5))).toBe(false);
    expect(seen).toHaveLength(before);
    expect(diagnostics).toEqual([]);
    expect(source.progress(4)).toBe(false);
    expect(diagnostics.map(({ type }) => type)).toEqual(["merged-progress"]);
  });

  it.each([
    ["at the total", 9, 9],
    ["one step below it", 1 - Number.EPSILON / 2, 1],
    ["above it", 10, 9],
    ["at the largest number", Number.MAX_VALUE, undefined],
  ])("says nothing %s", (_title, value, total) => {
    const { line, source, seen, advance } = open();
    source.progress(value, total);
    line.pulse(every10);
    advance(50);
    expect(seen).toHaveLength(1);
    expect(source.progress(8, 20) || source.progress(11, 20)).toBe(value !== Number.MAX_VALUE);
    advance(60);
    expect(seen).toHaveLength(value === Number.MAX_VALUE ? 1 : 3);
  });

  it("rests once the handler was silent for longer than forMs, until it reports again", () => {
    const { line, source, seen, advance, scheduler } = open();
    line.pulse({ everyMs: 10, forMs: 25 });
    advance(500);
    expect(seen.map(([at]) => at)).toEqual([10, 20]);
    expect(scheduler.actions).toEqual([]);
    source.progress(1);
    advance(900);
    expect(seen.map(([at]) => at)).toEqual([10, 20, 500, 510, 520]);
  });

  it("takes what a replay silences for life, and for silence", () => {
    const { line, source, seen, advance } = open();
    line.resume(50);
    line.pulse({ everyMs: 10, forMs: 25 });
    for (const at of [8, 16, 24, 32]) {
      advance(at);
      source.progress(at, 100);
    }
    advance(45);
    expect(valuesOf(seen).map(([at]) => at)).toEqual([10, 20, 30, 40]);
    expect(valuesOf(seen)[0]?.[1]).toBe(nextUp(50));
  });

  it("never replaces an update that waits for its turn", () => {
    const { line, source, seen, advance } = open({ cadence: { burst: 1, intervalMs: 100 } });
    source.progress(1);
    source.progress(2, undefined, "important");
    line.pulse({ everyMs: 10, forMs: 1_000, message: "still there" });
    advance(250);
    expect(seen.map(([at, event]) => [at, event.type === "progress" && event.message])).toEqual([
      [0, undefined],
      [100, "important"],
      [200, "still there"],
    ]);
  });

  it("does not count the time in which the client is asked, and goes on beating then", () => {
    const { line, source, seen, advance } = open();
    const waiting = new Subject<boolean>();
    line.pulse({ everyMs: 10, forMs: 25 }, waiting);
    advance(15);
    waiting.next(true);
    line.publish(question);
    advance(75);
    waiting.next(false);
    advance(200);
    source.progress(1);
    const beats = seen.filter(([, event]) => event.type === "progress").map(([at]) => at);
    expect(beats).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200]);
  });

  it("is replaced by a second one", () => {
    const { line, seen, advance } = open();
    const first = line.pulse(every10);
    line.pulse({ everyMs: 20, forMs: 1_000 });
    expect(first.closed).toBe(true);
    advance(45);
    expect(seen.map(([at]) => at)).toEqual([20, 40]);
  });

  const ends: readonly (readonly [string, (request: ReturnType<typeof open>) => void])[] = [
    ["a result", ({ line }) => line.end({ type: "result", result: {} })],
    ["an error", ({ line }) => line.end({ type: "error", error: { code: 1, message: "no" } })],
    ["the end of a round", ({ line }) => line.seal()],
    ["the subscriber's leave", ({ subscription }) => subscription.unsubscribe()],
  ];
  it.each(ends)("is stopped by %s, and leaves no timer", (_title, end) => {
    const request = open();
    const pulse = request.line.pulse(every10);
    request.advance(15);
    expect(request.seen.map(([at]) => at)).toEqual([10]);
    end(request);
    const { length } = request.seen;
    expect(pulse.closed).toBe(true);
    expect(request.scheduler.actions).toEqual([]);
    request.source.progress(9);
    request.advance(100);
    expect(request.seen).toHaveLength(length);
    expect(request.scheduler.actions).toEqual([]);
    expect(request.line.pulse(every10).closed).toBe(true);
  });

  it("is stopped by unsubscribing, and by a subscriber that leaves at a beat", () => {
    const { line, seen, advance, scheduler, source } = open();
    line.pulse(every10).unsubscribe();
    source.progress(1);
    advance(50);
    expect(seen).toHaveLength(1);
    expect(scheduler.actions).toEqual([]);
  });

  it("has no timer when nobody listens", () => {
    const { line, scheduler } = open({ listening: false });
    expect(line.pulse(every10).closed).toBe(true);
    expect(scheduler.actions).toEqual([]);
  });

  it("as a diagram: beats between the reports, bounded, nothing after the end", () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    scheduler.run(({ cold, expectObservable }) => {
      const stream = requestStream(
        { listening: true, report: () => undefined, cadence: "every", scheduler },
        (line) => {
          line.pulse({ everyMs: 3, forMs: 7 });
          cold("-a-----------b---r").subscribe((mark) => {
            if (mark === "r") line.end({ type: "result", result: {} });
            else line.report(mark === "a" ? 1 : 2, undefined, undefined);
          });
        },
      );
      const progress = (value: number) => ({ type: "progress", progress: value });
      const [one, two] = [nextUp(1), nextUp(2)];
      const values = { a: progress(1), x: progress(one), y: progress(nextUp(one)), b: progress(2), z: progress(two) };
      expectObservable(stream).toBe("-a--x--y-----b--z(r|)", { ...values, r: { type: "result", result: {} } });
    });
  });

  const wrong: readonly (readonly [PulseOptions, RegExp])[] = [
    [{ everyMs: 0, forMs: 1 }, /^Expected `everyMs` to be greater than 0 and at most 2147483647, got 0$/],
    [{ everyMs: Number.NaN, forMs: 1 }, /`everyMs`.*NaN/],
    [{ everyMs: 2 ** 31, forMs: 2 ** 31 }, /`everyMs`/],
    [{ everyMs: 10, forMs: 9 }, /^Expected `forMs` to be at least `everyMs` and at most 2147483647, got 9$/],
    [{ everyMs: 10, forMs: Number.POSITIVE_INFINITY }, /`forMs`.*Infinity/],
    [{ everyMs: 10, forMs: 10, message: 5 as unknown as string }, /^Expected `message` to be a string, got number$/],
  ];
  it.each(wrong)("refuses %o, whoever listens", (options, message) => {
    for (const listening of [true, false]) expect(() => open({ listening }).line.pulse(options)).toThrow(message);
  });
});
