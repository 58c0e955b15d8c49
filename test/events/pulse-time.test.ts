import { asyncScheduler, Subject, type Subscription, take, VirtualTimeScheduler } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import { type RequestEvent, requestStream } from "../../src/events/index.ts";
import { nextUp } from "../../src/events/step.ts";
import { progressed, question } from "./samples.ts";
import { every10, messagesOf, open, timesOf, valuesOf } from "./virtual.ts";

/** Reported are a and b, 1 and 2, and the result R; a pulse that looks every 3 ms adds c and d, e and f. */
function picture(reported: string, expected: string) {
  const [c, e] = [nextUp(1), nextUp(2)];
  const values: Readonly<Record<string, number>> = { a: 1, b: 2, c, d: nextUp(c), e, f: nextUp(e) };
  const scheduler = new TestScheduler((actual, wanted) => {
    expect(wanted.length).toBeGreaterThan(0);
    expect(actual).toEqual(wanted);
  });
  scheduler.run(({ cold, expectObservable }) => {
    const options = { listening: true, report: () => undefined, cadence: "every", scheduler } as const;
    const stream = requestStream(options, (line) => {
      line.pulse({ everyMs: 3, forMs: 7 });
      cold<string>(reported).subscribe((key) => {
        if (key === "R") line.end({ type: "result", result: {} });
        else line.report(values[key] ?? 0, undefined, undefined);
      });
    });
    const updates = Object.entries(values).map(([key, value]): [string, RequestEvent] => [key, progressed(value)]);
    expectObservable(stream).toBe(expected, { ...Object.fromEntries(updates), R: { type: "result", result: {} } });
  });
}

describe("a pulse in marbles", () => {
  it("beats while nothing is reported, and never after the end", () => {
    picture("-a--------R----", "-a----c--d(R|)");
  });

  it("rests after forMs, until the handler reports again", () => {
    picture("-a------------b------R", "-a----c--d----b--e--f(R|)");
  });
});

describe("a pulse beats", () => {
  it("when nothing was sent since it last looked", () => {
    const { line, source, seen, advance } = open();
    line.pulse(every10);
    for (const at of [6, 12, 18]) {
      advance(at);
      source.progress(at);
    }
    advance(45);
    const first = nextUp(18);
    expect(valuesOf(seen)).toEqual([
      [6, 6],
      [12, 12],
      [18, 18],
      [30, first],
      [40, nextUp(first)],
    ]);
  });

  it("while a replay is silenced, which counts as life", () => {
    const { line, source, seen, advance } = open();
    line.resume(50);
    line.pulse({ everyMs: 10, forMs: 25 });
    for (const at of [8, 16, 24, 32]) {
      advance(at);
      source.progress(at, 100);
    }
    advance(500);
    expect(timesOf(seen)).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it("while phases report what does not move their sum, which counts as life", () => {
    const { source, line, seen, advance } = open();
    const outer = source.phases({ a: 1, b: 1 });
    const { c } = outer.a.phases({ c: 1, d: 1 });
    outer.b.done();
    const rows = c.countingProgress();
    line.pulse({ everyMs: 10, forMs: 25 });
    for (const at of [8, 16, 24, 32]) {
      advance(at);
      expect(rows.emit()).toBe(false);
    }
    advance(500);
    expect(timesOf(seen)).toEqual([0, 10, 20, 30, 40, 50, 60]);
  });

  it("while the client is asked, however long that takes", () => {
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
    const beats = seen.filter(([, event]) => event.type === "progress");
    expect(timesOf(beats)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200]);
  });

  it("not while forMs without a report have passed; then it has no timer", () => {
    const { line, source, seen, advance, scheduler } = open();
    line.pulse({ everyMs: 10, forMs: 25 });
    advance(500);
    expect(timesOf(seen)).toEqual([10, 20]);
    expect(scheduler.actions).toEqual([]);
    source.progress(1);
    advance(900);
    expect(timesOf(seen)).toEqual([10, 20, 500, 510, 520]);
    expect(scheduler.actions).toEqual([]);
  });

  it.each(["before", "after"])("never instead of an update that waits, when asked for %s it", (when) => {
    const { line, source, seen, advance } = open({ cadence: { burst: 1, intervalMs: 100 } });
    const pulse = () => line.pulse({ everyMs: 10, forMs: 1_000, message: "still there" });
    if (when === "before") pulse();
    source.progress(1);
    source.progress(2, undefined, "important");
    if (when === "after") pulse();
    advance(350);
    expect(messagesOf(seen).slice(0, 3)).toEqual([
      [0, undefined],
      [100, "important"],
      [200, "still there"],
    ]);
  });

  it("instead of a first pulse when it is the second", () => {
    const { line, seen, advance } = open();
    const first = line.pulse(every10);
    line.pulse({ everyMs: 20, forMs: 1_000 });
    expect(first.closed).toBe(true);
    advance(45);
    expect(timesOf(seen)).toEqual([20, 40]);
  });
});

describe("a pulse is stopped", () => {
  type Request = ReturnType<typeof open>;
  const ends: readonly (readonly [string, (request: Request) => void])[] = [
    ["a result", ({ line }) => line.end({ type: "result", result: {} })],
    ["an error", ({ line }) => line.end({ type: "error", error: { code: 1, message: "no" } })],
    ["the end of a round", ({ line }) => line.seal()],
    ["the subscriber's leave", ({ subscription }) => subscription.unsubscribe()],
  ];
  it.each(ends)("by %s, and leaves no timer", (_title, end) => {
    const request = open();
    const pulse = request.line.pulse(every10);
    request.advance(15);
    expect(timesOf(request.seen)).toEqual([10]);
    end(request);
    const { length } = request.seen;
    expect(pulse.closed).toBe(true);
    request.source.progress(9);
    expect(request.line.pulse(every10).closed).toBe(true);
    expect(request.scheduler.actions).toEqual([]);
    request.advance(100);
    expect(request.seen).toHaveLength(length);
  });

  it("by unsubscribing, and what is reported later does not start it again", () => {
    const { line, source, seen, advance, scheduler } = open();
    const pulse = line.pulse({ everyMs: 10, forMs: 10 });
    advance(50);
    expect(timesOf(seen)).toEqual([10]);
    pulse.unsubscribe();
    source.progress(1);
    expect(scheduler.actions).toEqual([]);
  });

  it("by a subscriber that leaves at a beat", () => {
    const scheduler = new VirtualTimeScheduler();
    let pulse: Subscription | undefined;
    const options = { listening: true, report: () => undefined, cadence: "every", scheduler } as const;
    const beats: RequestEvent[] = [];
    requestStream(options, (line) => {
      pulse = line.pulse(every10);
    })
      .pipe(take(2))
      .subscribe((event) => beats.push(event));
    scheduler.maxFrames = 100;
    scheduler.flush();
    expect(beats).toHaveLength(2);
    expect(pulse?.closed).toBe(true);
    expect(scheduler.actions).toEqual([]);
  });
});

describe("the timer of a pulse", () => {
  it("does not exist when nobody listens", () => {
    const [deaf, control] = [open({ listening: false }), open()];
    expect(deaf.line.pulse(every10).closed).toBe(true);
    expect(deaf.scheduler.actions).toEqual([]);
    control.line.pulse(every10);
    expect(control.scheduler.actions).toHaveLength(1);
  });

  it("is one, however much is reported", () => {
    const { line, source, scheduler, advance } = open();
    line.pulse(every10);
    for (let value = 0; value < 1_000; value += 1) source.progress(value);
    expect(scheduler.actions).toHaveLength(1);
    advance(100);
    expect(scheduler.actions).toHaveLength(1);
  });

  it("does not read the clock for a report", () => {
    const { line, source, scheduler } = open();
    let readings = 0;
    scheduler.now = () => {
      readings += 1;
      return 0;
    };
    line.pulse(every10);
    const before = readings;
    for (let value = 0; value < 100; value += 1) expect(source.progress(value)).toBe(true);
    expect(readings).toBe(before);
  });

  it("does not hold the process", () => {
    const held = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = held();
    const pulse = open({ scheduler: asyncScheduler }).line.pulse({ everyMs: 60_000, forMs: 60_000 });
    expect(pulse.closed).toBe(false);
    expect(held()).toBe(before);
    const control = asyncScheduler.schedule(() => undefined, 60_000);
    expect(held()).toBe(before + 1);
    control.unsubscribe();
    pulse.unsubscribe();
  });
});
