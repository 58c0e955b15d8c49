import fc from "fast-check";
import { take, VirtualTimeScheduler } from "rxjs";
import { expect, it } from "vitest";
import { type Cadence, isTerminal, type Line, type RequestEvent, requestStream } from "../../src/events/index.ts";
import { type McpProgressSource, ProgressSource } from "../../src/progress/index.ts";
import { question } from "./samples.ts";

type Say = (value: number) => boolean;

/** Every way to report, each on a scale of its own. */
function ways(source: McpProgressSource): Say[] {
  const [double, long, counting, percent] = [
    source.doubleProgress(10),
    source.longProgress(),
    source.countingProgress(10),
    source.percentProgress(),
  ];
  const { a, b } = source.phases({ a: 1, b: 2 });
  const nested = b.phases({ c: 1, d: 1 });
  return [
    (value) => double.emit(value),
    (value) => long.emit(Math.round(value)),
    () => counting.emit(),
    (value) => percent.complete(value / 10),
    (value) => source.progress(value),
    (value) => a.progress(value, 10),
    (value) => nested.c.progress(value, 10),
    () => nested.d.done(),
  ];
}

function attempt(say: Say, value: number): boolean {
  try {
    return say(value);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return false;
  }
}

const value = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.double({ min: -3, max: 12 }), fc.constant(Number.NaN));
const report = fc.record({ way: fc.nat(7), value, pause: fc.nat(8), asks: fc.boolean() });
const policy: fc.Arbitrary<Cadence> = fc.oneof(
  fc.constant<Cadence>("every"),
  fc.record({ burst: fc.integer({ min: 1, max: 4 }), intervalMs: fc.integer({ min: 1, max: 9 }) }),
);
const terminal = fc.constantFrom<RequestEvent>(
  { type: "result", result: {} },
  { type: "error", error: { code: -32603, message: "Internal error" } },
  { type: "input-required", inputRequests: {}, requestState: "sealed" },
);

/** Plays reports through a stream in virtual time, ends it, and goes on reporting. */
function play(
  reports: { way: number; value: number; pause: number; asks: boolean }[],
  end: RequestEvent,
  cadence: Cadence,
) {
  const scheduler = new VirtualTimeScheduler();
  const seen: RequestEvent[] = [];
  const accepted: number[] = [];
  let completed = 0;
  const perform = (line: Line): void => {
    const says = ways(new ProgressSource(line));
    let due = 0;
    const say = (each: (typeof reports)[number]): void => {
      const run = says[each.way];
      if (run !== undefined && attempt(run, each.value)) accepted.push(line.mark ?? Number.NaN);
      if (each.asks) line.publish(question);
    };
    for (const each of reports) {
      due += each.pause;
      scheduler.schedule(() => say(each), due);
    }
    scheduler.schedule(() => {
      if (isTerminal(end)) expect(line.end(end)).toBe(true);
      const before = accepted.length;
      for (const each of reports) say(each);
      expect(accepted).toHaveLength(before);
    }, due);
  };
  const stream = requestStream({ listening: true, cadence, scheduler, report: () => undefined }, (line) => {
    line.whenLeft({ leave: () => expect.unreachable("the subscriber stays") });
    perform(line);
  });
  stream.subscribe({ next: (event) => seen.push(event), complete: () => (completed += 1) });
  scheduler.flush();
  return { seen, accepted, completed };
}

it("whatever is reported, values strictly increase, the last accepted one precedes the one terminal event, which is last", () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 60 }), terminal, policy, (reports, end, cadence) => {
      const { seen, accepted, completed } = play(reports, end, cadence);
      const values = seen.flatMap((event) => (event.type === "progress" ? [event.progress] : []));
      expect(values.every((each, at) => at === 0 || each > (values[at - 1] ?? Infinity))).toBe(true);
      expect(values.at(-1)).toBe(accepted.at(-1));
      if (cadence === "every") expect(values).toEqual(accepted);
      expect(seen.filter(isTerminal)).toEqual([end]);
      expect(seen.at(-1)).toBe(end);
      expect(seen.filter((event) => event === question)).toHaveLength(reports.filter(({ asks }) => asks).length);
      expect(completed).toBe(1);
    }),
    { numRuns: 300 },
  );
});

it("whenever the subscriber leaves, the run is left exactly once, or has ended", () => {
  fc.assert(
    fc.property(fc.nat(12), fc.boolean(), fc.boolean(), (events, early, throughout) => {
      let left = 0;
      let line: Line | undefined;
      const speak = (to: Line): void => {
        const emitter = new ProgressSource(to).countingProgress();
        for (let step = 0; step < 10; step += 1) emitter.emit();
        if (throughout) to.end({ type: "result", result: {} });
      };
      const stream = requestStream({ listening: true, cadence: "every", report: () => undefined }, (to) => {
        line = to;
        to.whenLeft({
          leave: () => {
            left += 1;
          },
        });
        if (early) speak(to);
      });
      const subscription = stream.pipe(take(events + 1)).subscribe();
      if (!early && line !== undefined) speak(line);
      subscription.unsubscribe();
      expect(line?.ended).toBe(true);
      expect(left).toBe(throughout && events >= 10 ? 0 : 1);
    }),
  );
});
