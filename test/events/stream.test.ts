import { map, type Observable, share, take, VirtualTimeScheduler } from "rxjs";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import {
  type Diagnostic,
  type Line,
  type RequestEvent,
  requestStream,
  type StreamOptions,
} from "../../src/events/index.ts";
import { ProgressSource } from "../../src/progress/index.ts";
import { goAstray, strayErrors } from "../progress/stray.ts";
import { progressed, question } from "./samples.ts";

const result: RequestEvent = { type: "result", result: {} };
const fail = (): void => {
  throw new Error("subscriber");
};

/** A stream, the lines of its runs, how often each was left, and its diagnostics. */
function createStream(options: Partial<StreamOptions> = {}, start: (line: Line) => void = () => undefined) {
  const lines: Line[] = [];
  const diagnostics: Diagnostic[] = [];
  const leave = vi.fn();
  const stream = requestStream(
    { listening: true, cadence: "every", report: (diagnostic) => diagnostics.push(diagnostic), ...options },
    (line) => {
      lines.push(line);
      line.whenLeft({ leave });
      start(line);
    },
  );
  const latest = (): Line => lines.at(-1) ?? expect.unreachable("nothing runs");
  return { stream, lines, latest, leave, diagnostics };
}

function record(stream: Observable<RequestEvent>) {
  const seen: unknown[] = [];
  const subscription = stream.subscribe({
    next: (event) => seen.push(event),
    complete: () => seen.push("complete"),
    error: () => seen.push("error"),
  });
  return { seen, subscription };
}

describe("subscribing starts the handler", () => {
  it("and not before", () => {
    const { stream, lines } = createStream();
    expect(lines).toHaveLength(0);
    stream.subscribe();
    expect(lines).toHaveLength(1);
  });

  it("twice runs it twice, each over a line of its own", () => {
    const { stream, lines, leave } = createStream();
    const [first, second] = [record(stream), record(stream)];
    expect(lines).toHaveLength(2);
    const [one, two] = lines.map((line) => new ProgressSource(line));
    expect([one?.progress(5), two?.progress(1)]).toEqual([true, true]);
    expect([first.seen, second.seen]).toEqual([[progressed(5)], [progressed(1)]]);
    first.subscription.unsubscribe();
    expect(leave).toHaveBeenCalledOnce();
    expect(two?.progress(2)).toBe(true);
  });
});

describe("the terminal event", () => {
  it("completes the stream right after itself, and nothing follows", () => {
    const { stream, latest, leave } = createStream();
    const { seen } = record(stream);
    const source = new ProgressSource(latest());
    source.progress(1);
    latest().end(result);
    expect(seen).toEqual([progressed(1), result, "complete"]);
    expect(source.progress(2)).toBe(false);
    latest().publish(question);
    latest().end(result);
    expect(seen).toHaveLength(3);
    expect(leave).not.toHaveBeenCalled();
  });

  it("comes while the handler is being started, after all that was said", () => {
    const { stream, leave } = createStream({ cadence: { burst: 1, intervalMs: 100 } }, (line) => {
      const source = new ProgressSource(line);
      for (const value of [1, 2, 3]) source.progress(value);
      line.end(result);
      expect(source.progress(4)).toBe(false);
    });
    expect(record(stream).seen).toEqual([progressed(1), progressed(3), result, "complete"]);
    expect(leave).not.toHaveBeenCalled();
  });

  it("does not overtake what its subscriber causes, nor is it overtaken", () => {
    const { stream, latest } = createStream();
    const { seen } = record(
      stream.pipe(
        map((event) => {
          if (event.type === "progress" && event.progress === 1) {
            new ProgressSource(latest()).progress(2);
            latest().end(result);
          }
          return event;
        }),
      ),
    );
    new ProgressSource(latest()).progress(1);
    expect(seen).toEqual([progressed(1), progressed(2), result, "complete"]);
  });

  it("is not left when its subscriber unsubscribes on it", () => {
    const { stream, latest, leave } = createStream();
    const subscription = stream.subscribe((event) => {
      if (event.type === "result") subscription.unsubscribe();
    });
    latest().end(result);
    expect(leave).not.toHaveBeenCalled();
    expect(subscription.closed).toBe(true);
  });
});

describe("unsubscribing", () => {
  it("leaves exactly once, ends the line and nothing follows", () => {
    const { stream, latest, leave } = createStream();
    const { seen, subscription } = record(stream);
    const source = new ProgressSource(latest());
    source.progress(1);
    subscription.unsubscribe();
    subscription.unsubscribe();
    expect(leave).toHaveBeenCalledOnce();
    expect(source.progress(2)).toBe(false);
    expect(latest().end(result)).toBe(false);
    expect(seen).toEqual([progressed(1)]);
  });

  it("after the end leaves nothing", () => {
    const { stream, latest, leave } = createStream();
    const { subscription } = record(stream);
    latest().end(result);
    subscription.unsubscribe();
    expect(leave).not.toHaveBeenCalled();
  });

  it("while the handler is being started ends the line and leaves at once", () => {
    const accepted: boolean[] = [];
    const { stream, leave } = createStream({}, (line) => {
      const source = new ProgressSource(line);
      accepted.push(source.progress(1), source.progress(2));
      expect(leave).toHaveBeenCalledOnce();
    });
    const { seen } = record(stream.pipe(take(1)));
    expect(seen).toEqual([progressed(1), "complete"]);
    expect(accepted).toEqual([true, false]);
    expect(leave).toHaveBeenCalledOnce();
  });

  it("drops what waits and its timer", () => {
    const scheduler = new VirtualTimeScheduler();
    const { stream, latest } = createStream({ cadence: { burst: 1, intervalMs: 10 }, scheduler });
    const { seen, subscription } = record(stream);
    const source = new ProgressSource(latest());
    for (const value of [1, 2]) source.progress(value);
    subscription.unsubscribe();
    scheduler.flush();
    expect(seen).toEqual([progressed(1)]);
    expect(scheduler.frame).toBe(0);
  });

  it("10,000 shared calls whose two consumers leave early leave nothing running", () => {
    const scheduler = new VirtualTimeScheduler();
    const { stream, lines, leave } = createStream({ cadence: { burst: 1, intervalMs: 10 }, scheduler });
    for (let call = 0; call < 10_000; call += 1) {
      const shared = stream.pipe(share());
      const consumers = [shared.subscribe(), shared.subscribe()];
      const source = new ProgressSource(lines.at(-1) ?? expect.unreachable());
      for (const value of [1, 2]) source.progress(value);
      for (const consumer of consumers) consumer.unsubscribe();
    }
    expect(lines).toHaveLength(10_000);
    expect(leave).toHaveBeenCalledTimes(10_000);
    expect(lines.every((line) => line.ended)).toBe(true);
    scheduler.flush();
    expect(scheduler.frame).toBe(0);
  });
});

describe("a failing subscriber", () => {
  const failing: [string, (stream: Observable<RequestEvent>) => void][] = [
    ["throws", (stream) => stream.subscribe(fail)],
    ["rejects", (stream) => stream.subscribe(async () => fail())],
    ["throws behind operators", (stream) => stream.pipe(map((event) => event.type)).subscribe(fail)],
    ["throws behind share", (stream) => stream.pipe(share()).subscribe(fail)],
  ];

  it.each(failing)("that %s is reported once; the call goes on, the process sees nothing", async (_, subscribe) => {
    const { stream, latest, leave, diagnostics } = createStream();
    const accepted: boolean[] = [];
    const stray = await strayErrors(() => {
      subscribe(stream);
      const source = new ProgressSource(latest());
      accepted.push(source.progress(1), source.progress(2), latest().end(result));
    });
    expect(accepted).toEqual([true, true, true]);
    expect(stray).toEqual([]);
    expect(leave).not.toHaveBeenCalled();
    expect(diagnostics).toMatchObject([{ type: "subscriber-failed", cause: new Error("subscriber") }]);
    expect(await strayErrors(goAstray)).toHaveLength(2);
  });

  it("does not keep another from its events", async () => {
    const { stream, latest } = createStream();
    const shared = stream.pipe(share());
    const stray = await strayErrors(() => {
      shared.subscribe(fail);
      const { seen } = record(shared);
      new ProgressSource(latest()).progress(1);
      latest().end(result);
      expect(seen).toEqual([progressed(1), result, "complete"]);
    });
    expect(stray).toEqual([]);
  });
});

describe("order is emission order", () => {
  it("for every consumer when one causes another emission", () => {
    const { stream, latest } = createStream();
    const shared = stream.pipe(share());
    const seen: number[] = [];
    shared.subscribe((event) => {
      if (event.type === "progress" && event.progress < 4) new ProgressSource(latest()).progress(event.progress + 1);
    });
    shared.subscribe((event) => event.type === "progress" && seen.push(event.progress));
    new ProgressSource(latest()).progress(1);
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it("for every consumer when one causes another emission as the timer fires", () => {
    const scheduler = new VirtualTimeScheduler();
    const { stream, latest } = createStream({ cadence: { burst: 2, intervalMs: 10 }, scheduler });
    const shared = stream.pipe(share());
    const seen: number[] = [];
    shared.subscribe((event) => {
      if (event.type !== "progress" || event.progress !== 3) return;
      new ProgressSource(latest()).progress(4);
      latest().end(result);
    });
    shared.subscribe((event) => event.type === "progress" && seen.push(event.progress));
    const source = new ProgressSource(latest());
    for (const value of [1, 2, 3]) source.progress(value);
    scheduler.flush();
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it("of questions among the progress, whatever waits and whoever answers it", () => {
    const scheduler = new VirtualTimeScheduler();
    const { stream, latest } = createStream({ cadence: { burst: 1, intervalMs: 10 }, scheduler });
    const { seen } = record(
      stream.pipe(
        map((event) => {
          if (event.type === "progress" && event.progress === 2) new ProgressSource(latest()).progress(3);
          return event;
        }),
      ),
    );
    const source = new ProgressSource(latest());
    for (const value of [1, 2]) source.progress(value);
    scheduler.now = () => 10;
    latest().publish(question);
    latest().end(result);
    expect(seen).toEqual([progressed(1), progressed(2), question, progressed(3), result, "complete"]);
  });
});

describe("a flood", () => {
  it("of 100,000 in one tick costs the burst and the last one", () => {
    const { stream, latest } = createStream({
      cadence: { burst: 20, intervalMs: 100 },
      scheduler: new VirtualTimeScheduler(),
    });
    const { seen } = record(stream);
    const emitter = new ProgressSource(latest()).countingProgress(100_000);
    while ((emitter.last ?? 0) < 100_000) emitter.emit();
    latest().end(result);
    expect(seen).toHaveLength(23);
    expect(seen.slice(-3)).toEqual([{ type: "progress", progress: 100_000, total: 100_000 }, result, "complete"]);
  });

  it("of emissions that cause one another does not overflow the stack", () => {
    const { stream, latest } = createStream();
    let last = 0;
    stream.subscribe((event) => {
      if (event.type !== "progress") return;
      last = event.progress;
      if (last < 100_000) new ProgressSource(latest()).progress(last + 1);
    });
    new ProgressSource(latest()).progress(1);
    expect(last).toBe(100_000);
  });
});

it("without a listener only questions and the end go out", () => {
  const { stream, latest } = createStream({ listening: false });
  const { seen } = record(stream);
  expect(new ProgressSource(latest()).progress(1)).toBe(false);
  latest().publish(question);
  latest().end(result);
  expect(seen).toEqual([question, result, "complete"]);
});

it("is closed over the union of events", () => {
  const { stream } = createStream();
  expectTypeOf(stream).toEqualTypeOf<Observable<RequestEvent>>();
  expectTypeOf<RequestEvent["type"]>().toEqualTypeOf<
    "progress" | "elicitation" | "notification" | "input-required" | "result" | "error"
  >();
});
