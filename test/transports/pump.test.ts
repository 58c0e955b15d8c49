import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ProgressEvent } from "../../src/events/index.ts";
import type { Lane } from "../../src/transports/lane.ts";
import { Pump } from "../../src/transports/pump.ts";
import type { Sink, Writer } from "../../src/transports/sink.ts";
import type { EventPrinter } from "../../src/wire/index.ts";

/** Prints what shows whose frame it is, in ten characters: `a:p0000012`. */
function printer(name: string): EventPrinter {
  return {
    progress: ({ progress }) => `${name}:p${String(progress).padStart(7, "0")}`,
    event: (event) => `${name}:${event.type.padEnd(8, ".").slice(0, 8)}`,
  };
}

interface Write {
  readonly frames: readonly string[];
  readonly last: boolean;
  readonly writer: Writer;
}

/** A sink that takes a write when it is told to. */
class Hand implements Sink {
  readonly writes: Write[] = [];
  readonly gatherMs: number;
  idle = true;
  onWrite: (() => void) | undefined;
  #open = 0;
  most = 0;

  constructor(gatherMs = 0) {
    this.gatherMs = gatherMs;
  }

  write(frames: readonly string[], last: boolean, writer: Writer): void {
    this.#open += 1;
    this.most = Math.max(this.most, this.#open);
    this.idle = false;
    this.writes.push({ frames, last, writer });
    this.onWrite?.();
  }

  /** Lets the oldest write that is open finish. */
  take(at = this.writes.length - this.#open): void {
    if (this.#open === 0) return;
    this.#open -= 1;
    this.idle = this.#open === 0;
    this.writes[at]?.writer.done();
  }

  get open(): number {
    return this.#open;
  }

  get frames(): readonly string[] {
    return this.writes.flatMap((write) => write.frames);
  }
}

function pumpOn(sink: Sink, maxBatch = 40) {
  const stalled = vi.fn();
  const pump = new Pump(sink, { maxBatch, writeTimeoutMs: 1_000, owner: { stalled, failed: vi.fn() } });
  return { pump, stalled, a: pump.lane(printer("a")), b: pump.lane(printer("b")) };
}

const progress = (value: number): ProgressEvent => ({ type: "progress", progress: value });
const tick = () => Promise.resolve();
const isSettled = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => true), tick().then(tick)])) ?? false;

function report(lane: Lane, from: number, to: number): void {
  for (let value = from; value <= to; value += 1) lane.progress(progress(value));
}

afterEach(() => void vi.useRealTimers());

describe("a pump", () => {
  it("writes what is ready in the same tick at once, and nothing before", async () => {
    const sink = new Hand();
    const { a, b } = pumpOn(sink);
    report(a, 1, 2);
    b.send({ type: "result", result: {} });
    expect(sink.writes).toHaveLength(0);
    await tick();
    expect(sink.writes.map(({ frames }) => frames)).toEqual([["a:p0000001", "a:p0000002", "b:result.."]]);
  });

  it("has one write in flight and one batch behind it, then merges each lane's progress to its latest", async () => {
    const sink = new Hand();
    const { a, b, pump } = pumpOn(sink);
    report(a, 1, 1);
    await tick();
    report(a, 2, 1_000);
    report(b, 1, 1_000);
    await tick();
    expect(sink.most).toBe(1);
    expect(pump.backlog).toBe(40);
    sink.take();
    sink.take();
    sink.take();
    expect(sink.frames).toEqual([...[1, 2, 3, 4, 5].map((value) => `a:p000000${value}`), "a:p0001000", "b:p0001000"]);
  });

  it("merges nothing while there is room", async () => {
    const sink = new Hand();
    const { a } = pumpOn(sink);
    report(a, 1, 1);
    await tick();
    report(a, 2, 5);
    sink.take();
    report(a, 6, 9);
    sink.take();
    expect(sink.frames).toHaveLength(9);
  });

  it("takes everything but progress although it is full, after the update that its lane holds", async () => {
    const sink = new Hand();
    const { a, b } = pumpOn(sink);
    report(a, 1, 20);
    await tick();
    report(a, 21, 30);
    report(b, 1, 2);
    a.send({ type: "result", result: {} });
    while (sink.open > 0) sink.take();
    expect(sink.frames.filter((frame) => frame.startsWith("a")).slice(-2)).toEqual(["a:p0000030", "a:result.."]);
    expect(sink.frames.at(-1)).toBe("b:p0000002");
  });

  it("writes a full batch within the turn when the one before has left", () => {
    const sink = new Hand();
    const { a } = pumpOn(sink);
    sink.onWrite = () => {
      sink.idle = true;
    };
    report(a, 1, 12);
    expect(sink.writes.map(({ frames }) => frames.length)).toEqual([4, 4, 4]);
  });

  it("keeps the order when a sink causes frames while it writes", async () => {
    const sink = new Hand();
    const { a } = pumpOn(sink, 20);
    sink.onWrite = () => {
      sink.idle = true;
      sink.onWrite = undefined;
      report(a, 3, 6);
      expect(sink.writes).toHaveLength(1);
    };
    report(a, 1, 2);
    while (sink.open > 0) sink.take();
    expect(sink.frames).toEqual(["a:p0000001", "a:p0000002", "a:p0000003", "a:p0000004", "a:p0000006"]);
  });

  it("says with its last write that nothing follows", async () => {
    const sink = new Hand();
    const { a, pump } = pumpOn(sink);
    report(a, 1, 1);
    await tick();
    pump.finish();
    a.send({ type: "result", result: {} });
    sink.take();
    expect(sink.writes.map(({ last }) => last)).toEqual([false, true]);
  });

  it("writes nothing for an empty frame", async () => {
    const sink = new Hand();
    const { pump } = pumpOn(sink);
    pump.lane({ progress: () => "", event: () => "" }).progress(progress(1));
    await tick();
    expect(sink.writes).toHaveLength(0);
    report(pump.lane(printer("c")), 1, 1);
    await tick();
    expect(sink.writes).toHaveLength(1);
  });
});

describe("a lane that ends in silence", () => {
  it("takes back what was not written, and nothing of another", async () => {
    const sink = new Hand();
    const { a, b, pump } = pumpOn(sink);
    report(a, 1, 1);
    await tick();
    report(a, 2, 3);
    report(b, 1, 1);
    report(a, 4, 9);
    a.end(true);
    expect(pump.backlog).toBe(10);
    while (sink.open > 0) sink.take();
    expect(sink.frames).toEqual(["a:p0000001", "b:p0000001"]);
  });

  it("lets those go on that wait for the rest", async () => {
    const sink = new Hand();
    const { a, pump } = pumpOn(sink);
    report(a, 1, 1);
    const flushed = pump.flushed();
    a.end(true);
    await flushed;
    expect(sink.writes).toHaveLength(0);
  });
});

describe("drained", () => {
  it("loses nothing of many lanes that all wait for room", async () => {
    const sink = new Hand();
    const { pump } = pumpOn(sink);
    const lanes = Array.from({ length: 20 }, (_, index) => pump.lane(printer(String.fromCharCode(97 + index))));
    let running = lanes.length;
    const speak = async (lane: Lane): Promise<void> => {
      for (let value = 1; value <= 10; value += 1) {
        lane.progress(progress(value));
        await lane.drained();
      }
      running -= 1;
    };
    const all = Promise.all(lanes.map(speak));
    while (running > 0 || sink.open > 0) {
      sink.take();
      // On a busy machine a lane may wait for the next turn of the event loop, not for room alone.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    expect(new Set(sink.frames).size).toBe(200);
    // The control: without waiting for room, updates are merged.
    const { pump: full } = pumpOn(new Hand());
    const [loud, quiet] = [full.lane(printer("a")), full.lane(printer("b"))];
    report(loud, 1, 10);
    report(quiet, 1, 10);
    expect(quiet.held).toEqual(progress(10));
  });

  it("lets a lane that floods not crowd out its neighbour", async () => {
    const sink = new Hand();
    const { a, b } = pumpOn(sink);
    report(a, 1, 100);
    b.progress(progress(1));
    sink.take();
    report(a, 101, 200);
    sink.take();
    await tick();
    expect(sink.frames).toContain("b:p0000001");
  });

  it("resolves at once while there is room, and else when the peer has taken what was in its way", async () => {
    const sink = new Hand();
    const { a } = pumpOn(sink);
    await a.drained();
    report(a, 1, 8);
    await tick();
    const drained = a.drained();
    expect(await isSettled(drained)).toBe(false);
    sink.take();
    await drained;
  });

  it.each(["end", "close"])("resolves at the latest with the %s", async (how) => {
    const { a, pump } = pumpOn(new Hand());
    report(a, 1, 8);
    const drained = a.drained();
    expect(await isSettled(drained)).toBe(false);
    if (how === "end") a.end(false);
    else pump.close();
    await drained;
    await a.drained();
  });
});

describe("flushed", () => {
  it("resolves when all was taken", async () => {
    const sink = new Hand();
    const { a, pump } = pumpOn(sink);
    await pump.flushed();
    report(a, 1, 9);
    const flushed = pump.flushed();
    sink.take();
    expect(await isSettled(flushed)).toBe(false);
    sink.take();
    sink.take();
    await flushed;
    expect(sink.frames.at(-1)).toBe("a:p0000009");
  });

  it("resolves when the pump is closed, which writes nothing more", async () => {
    const sink = new Hand();
    const { a, pump } = pumpOn(sink);
    report(a, 1, 9);
    const flushed = pump.flushed();
    pump.close();
    await flushed;
    sink.take();
    report(a, 10, 20);
    await tick();
    expect(sink.frames).toHaveLength(4);
  });
});

describe("a sink that throws", () => {
  it("is a lost connection: told once, nothing more is written, and nobody waits for it", async () => {
    const sink = new Hand();
    const failed = vi.fn();
    const pump = new Pump(sink, { maxBatch: 40, owner: { stalled: vi.fn(), failed } });
    const a = pump.lane(printer("a"));
    report(a, 1, 1);
    await tick();
    expect([sink.writes.length, failed.mock.calls.length]).toEqual([1, 0]);
    sink.onWrite = () => {
      throw new RangeError("Invalid string length");
    };
    report(a, 2, 9);
    const waits = [a.drained(), pump.flushed()];
    sink.take();
    await Promise.all(waits);
    report(a, 10, 20);
    await tick();
    expect(sink.writes).toHaveLength(2);
    expect(failed.mock.calls).toEqual([[new RangeError("Invalid string length")]]);
  });
});

describe("a peer that takes nothing", () => {
  it("is given up after the timeout, once, and each part that it takes starts the time anew", async () => {
    vi.useFakeTimers();
    const sink = new Hand();
    const { a, stalled } = pumpOn(sink);
    report(a, 1, 1);
    await tick();
    for (let part = 0; part < 5; part += 1) {
      vi.advanceTimersByTime(999);
      sink.writes[0]?.writer.taken();
    }
    expect(stalled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    vi.advanceTimersByTime(10_000);
    expect(stalled).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not given up once the pump is closed, also when it then takes a part", async () => {
    vi.useFakeTimers();
    const sink = new Hand();
    const { pump, a, stalled } = pumpOn(sink);
    report(a, 1, 1);
    await tick();
    expect([sink.open, vi.getTimerCount()]).toEqual([1, 1]);
    pump.close();
    sink.writes[0]?.writer.taken();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(stalled).not.toHaveBeenCalled();
  });

  it("is not waited for when the pump is closed within a write", async () => {
    vi.useFakeTimers();
    const sink = new Hand();
    const { pump, a, stalled } = pumpOn(sink);
    sink.onWrite = () => pump.close();
    report(a, 1, 1);
    await tick();
    expect([sink.open, vi.getTimerCount()]).toEqual([1, 0]);
    vi.advanceTimersByTime(10_000);
    expect(stalled).not.toHaveBeenCalled();
  });

  it("has its time anew when one of two writes is taken", () => {
    vi.useFakeTimers();
    const sink = new Hand();
    const { a, stalled } = pumpOn(sink);
    report(a, 1, 4);
    sink.idle = true;
    report(a, 5, 8);
    vi.advanceTimersByTime(900);
    sink.take();
    vi.advanceTimersByTime(900);
    expect(stalled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(stalled).toHaveBeenCalledTimes(1);
  });

  it("is not what a write waits for whose turn has not come", () => {
    vi.useFakeTimers();
    const sink = Object.assign(new Hand(), { queued: true });
    const { pump, a, stalled } = pumpOn(sink);
    a.send({ type: "result", result: {} });
    report(a, 1, 8);
    vi.advanceTimersByTime(5_000);
    expect(stalled).not.toHaveBeenCalled();
    sink.queued = false;
    vi.advanceTimersByTime(1_000);
    expect(stalled).toHaveBeenCalledOnce();
    pump.close();
  });

  it("costs no timer when nothing is in flight", async () => {
    vi.useFakeTimers();
    const sink = new Hand();
    const { a } = pumpOn(sink);
    report(a, 1, 1);
    await tick();
    expect(vi.getTimerCount()).toBe(1);
    sink.take();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("whatever happens", () => {
  const laneCount = 3;
  const act = fc.constantFrom("progress", "progress", "progress", "send", "leave", "end", "take", "tick");
  const script = fc.array(fc.tuple(act, fc.nat(laneCount - 1)), { maxLength: 200 });

  /** A lane and what must be seen of it; every frame has a number larger than the one before. */
  class Model {
    readonly lane: Lane;
    readonly must: string[] = [];
    latest: string | undefined;
    state: "open" | "left" | "ended" = "open";
    readonly #name: string;
    readonly #next: () => number;

    constructor(pump: Pump, name: string, next: () => number) {
      this.#name = name;
      this.#next = next;
      this.lane = pump.lane({ progress: (event) => `${name}:p${event.progress}`, event: () => `${name}:e${next()}` });
    }

    act(type: "progress" | "send" | "leave" | "end"): void {
      if (this.state !== "open") return;
      if (type === "progress") {
        const value = this.#next();
        this.lane.progress(progress(value));
        this.latest = `${this.#name}:p${value}`;
      } else if (type === "send") this.lane.send({ type: "result", result: {} });
      else {
        this.lane.end(type === "leave");
        this.state = type === "leave" ? "left" : "ended";
      }
    }
  }

  it("order holds, one write is in flight, and all but merged progress arrives", async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const sink = new Hand();
        const { pump } = pumpOn(sink);
        let count = 0;
        const next = () => {
          count += 1;
          return count;
        };
        const models = Array.from({ length: laneCount }, (_, index) => new Model(pump, String(index), next));
        for (const [type, index] of steps) {
          if (type === "take") sink.take();
          else if (type === "tick") await tick();
          else {
            models[index]?.act(type);
            if (type === "send" && models[index]?.state === "open") models[index]?.must.push(`${index}:e${count}`);
          }
        }
        const flushed = pump.flushed();
        for (await tick(); sink.open > 0; ) sink.take();
        await flushed;
        expect(sink.most).toBeLessThanOrEqual(1);
        expect(pump.backlog).toBe(0);
        for (const [index, { must, latest, state }] of models.entries()) {
          const got = sink.frames.filter((frame) => frame.startsWith(`${index}:`));
          const order = got.map((frame) => Number(frame.slice(3)));
          expect(order).toEqual([...new Set(order)].sort((one, other) => one - other));
          if (state === "left") continue;
          expect(got.filter((frame) => frame.includes("e"))).toEqual(must);
          if (latest !== undefined) expect(got).toContain(latest);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a pump over a sink that gathers", () => {
  /** Has written `a1` at the time 0, and the sink took it. */
  async function written(toFake?: ["performance"]) {
    vi.useFakeTimers(toFake && { toFake });
    const sink = new Hand(5);
    const lanes = pumpOn(sink);
    report(lanes.a, 1, 1);
    await tick();
    sink.take();
    return { sink, ...lanes };
  }
  const writes = (sink: Hand) => sink.writes.map(({ frames }) => frames.join(" "));

  it("writes the first update at once, and those that follow closely together", async () => {
    const { sink, a } = await written();
    for (const value of [2, 3]) {
      vi.advanceTimersByTime(2);
      report(a, value, value);
      await tick();
    }
    expect(writes(sink)).toEqual(["a:p0000001"]);
    vi.advanceTimersByTime(3);
    expect(writes(sink)).toEqual(["a:p0000001", "a:p0000002 a:p0000003"]);
  });

  it("lets an update that follows later pass at once", async () => {
    const { sink, a } = await written();
    vi.advanceTimersByTime(5);
    report(a, 2, 2);
    await tick();
    expect(writes(sink)).toEqual(["a:p0000001", "a:p0000002"]);
  });

  it("lets nothing but progress wait, and sends along what waits", async () => {
    const { sink, a, b } = await written();
    report(a, 2, 2);
    await tick();
    expect(writes(sink)).toEqual(["a:p0000001"]);
    b.send({ type: "result", result: {} });
    await tick();
    expect(writes(sink)).toEqual(["a:p0000001", "a:p0000002 b:result.."]);
    expect(vi.getTimerCount()).toBe(1);
    sink.take();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("writes a full batch at once", async () => {
    const { sink, a } = await written();
    report(a, 2, 5);
    expect(writes(sink).slice(1)).toEqual(["a:p0000002 a:p0000003 a:p0000004 a:p0000005"]);
  });

  it("hears a handler that lets no timer run", async () => {
    const { sink, a } = await written(["performance"]);
    report(a, 2, 2);
    await tick();
    expect(writes(sink)).toEqual(["a:p0000001"]);
    vi.advanceTimersByTime(5);
    report(a, 3, 3);
    await tick();
    expect(writes(sink).slice(1)).toEqual(["a:p0000002 a:p0000003"]);
  });

  it("gathers again after what it gathered was taken back", async () => {
    const { sink, a, b } = await written();
    report(a, 2, 2);
    a.end(true);
    vi.advanceTimersByTime(5);
    report(b, 1, 1);
    await tick();
    expect(writes(sink).slice(1)).toEqual(["b:p0000001"]);
    sink.take();
    report(b, 2, 2);
    await tick();
    expect(writes(sink).slice(2)).toEqual([]);
    vi.advanceTimersByTime(5);
    expect(writes(sink).slice(2)).toEqual(["b:p0000002"]);
  });

  it("gathers no more once it is closed", async () => {
    const { sink, a, pump } = await written();
    report(a, 2, 2);
    expect(vi.getTimerCount()).toBe(1);
    pump.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(writes(sink)).toEqual(["a:p0000001"]);
  });
});
