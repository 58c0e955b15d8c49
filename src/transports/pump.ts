import type { ProgressEvent } from "../events/index.ts";
import type { EventPrinter } from "../wire/index.ts";
import { Batch } from "./batch.ts";
import { Lane } from "./lane.ts";
import type { Sink, Writer } from "./sink.ts";
import { atTickEnd } from "./tick.ts";
import { after } from "./timer.ts";
import { traffic } from "./traffic.ts";

export interface PumpOptions {
  /** How much may stand behind the write in flight before progress is merged, in characters. @default 16_384 */
  readonly maxBatch?: number | undefined;
  /** How long a peer may take nothing before it is given up, in milliseconds. @default 30_000 */
  readonly writeTimeoutMs?: number | undefined;
  readonly owner: PumpOwner;
}

export interface PumpOwner {
  /** Told once that the peer took nothing for `writeTimeoutMs`. */
  stalled(): void;
  /** Told once that the sink threw; nothing more is written. */
  failed(cause: unknown): void;
}

/**
 * Keeps one write in flight and one batch behind it. What is ready in the same tick leaves in one write, and
 * so do updates that follow a write closely, the more of them the more this process writes; neither the first
 * update nor anything else is held back. Once the batch is full, each request's latest update replaces the one
 * that waits. Everything but progress is always taken, in order. Memory is constant whatever is pushed.
 *
 * A loop that awaits only resolved promises lets no callback run, so a full batch is written at once when
 * the sink says that the one before has left.
 */
export class Pump implements Writer {
  readonly #sink: Sink;
  readonly #maxBatch: number;
  readonly #writeTimeoutMs: number;
  readonly #owner: PumpOwner;
  /** Those whose update is held. */
  #waiting: Set<Lane> | undefined;
  /** Those that wait for room. */
  #thirsty: Set<Lane> | undefined;
  readonly #batch = new Batch<Lane>();
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writes = 0;
  #writing = false;
  #scheduled = false;
  #finishing = false;
  #closed = false;
  #gathering: (() => void) | undefined;
  #stopWatch: (() => void) | undefined;
  #flushed: (() => void)[] | undefined;

  constructor(sink: Sink, { maxBatch = 16_384, writeTimeoutMs = 30_000, owner }: PumpOptions) {
    this.#sink = sink;
    this.#maxBatch = maxBatch;
    this.#writeTimeoutMs = writeTimeoutMs;
    this.#owner = owner;
  }

  /** Whether the batch behind the write in flight has no room. */
  get full(): boolean {
    return this.#batch.size >= this.#maxBatch;
  }

  /** Whether all that was written has left the process. */
  get idle(): boolean {
    return this.#sink.idle;
  }

  /** How much stands behind the write in flight, in characters. */
  get backlog(): number {
    return this.#batch.size;
  }

  /** How long nothing has been written, in milliseconds. */
  get silentMs(): number {
    return performance.now() - this.#wroteAt;
  }

  /** Whether something stands behind the write in flight, or was written less than `ms` ago. */
  wroteWithin(ms: number): boolean {
    return !this.#batch.isEmpty || this.silentMs < ms;
  }

  /** A lane for one request. */
  lane(printer: EventPrinter): Lane {
    return new Lane(this, printer);
  }

  /** Takes an update if there is room; otherwise the lane holds it. */
  offer(lane: Lane, event: ProgressEvent): void {
    if (this.#closed) return;
    if (this.full) {
      lane.held = event;
      this.#waiting ??= new Set();
      this.#waiting.add(lane);
      return;
    }
    this.#put(lane, lane.print(event), this.#sink.gatherMs ?? 0);
  }

  /** Takes a frame whether or not there is room, after the update that its lane holds. */
  push(lane: Lane, frame: string): void {
    if (!this.#closed) this.#put(lane, frame, 0);
  }

  /** Nothing comes after what was pushed so far: the sink is told with its last write. */
  finish(): void {
    this.#finishing = true;
  }

  /** Resolves when all that was pushed has been taken, or the pump was closed. */
  flushed(): Promise<void> {
    const isFlushed = this.#batch.isEmpty && !this.#waiting?.size && this.#writes === 0;
    if (this.#closed || isFlushed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#flushed ??= [];
      this.#flushed.push(resolve);
    });
  }

  /** Forgets what a lane pushed and was not written yet. */
  forget(lane: Lane): void {
    this.#waiting?.delete(lane);
    lane.held = undefined;
    this.#batch.forget(lane);
  }

  /** Calls the lane back when there is room. */
  await(lane: Lane): void {
    this.#thirsty ??= new Set();
    this.#thirsty.add(lane);
  }

  /** Lets go of everything: the peer is gone. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopWatch?.();
    this.#stopGathering();
    this.#batch.clear();
    this.#waiting = undefined;
    this.#release();
    this.#tellFlushed();
  }

  #put(lane: Lane, frame: string, gatherMs: number): void {
    this.#unhold(lane);
    this.#append(lane, frame);
    if (this.full) this.#flush();
    else if (this.#writes === 0 && !this.#scheduled) this.#schedule(gatherMs);
  }

  /** Looks at the clock each time, so that a handler which never lets timers run is still heard. */
  #schedule(gatherMs: number): void {
    if (gatherMs > 0) {
      const now = performance.now();
      const waitMs = gatherMs + traffic.stretchMs(now);
      if (now - this.#wroteAt < waitMs) {
        this.#gathering ??= after(waitMs, () => this.tick());
        return;
      }
    }
    this.#scheduled = true;
    atTickEnd(this);
  }

  #stopGathering(): void {
    this.#gathering?.();
    this.#gathering = undefined;
  }

  /** What was ready has come together. */
  tick(): void {
    this.#scheduled = false;
    this.#stopGathering();
    if (this.#writes > 0) return;
    this.#flush();
    this.#settle();
  }

  taken(): void {
    if (this.#stopWatch !== undefined) this.#watch();
  }

  done(): void {
    this.#writes -= 1;
    if (this.#closed) return;
    if (this.#writes > 0) return this.taken();
    this.#stopWatch?.();
    this.#stopWatch = undefined;
    // The batch leaves before what was held moves up, and what was held before anybody is told of room:
    // whoever waits for room must not find an update of its own still held, nor be crowded out by a flood.
    this.#flush();
    if (this.#waiting !== undefined) this.#moveUp(this.#waiting);
    if (this.#writes === 0) this.#flush();
    if (!this.full) this.#release();
    this.#settle();
  }

  #moveUp(waiting: ReadonlySet<Lane>): void {
    for (const lane of waiting) {
      if (this.full) break;
      this.#unhold(lane);
    }
  }

  /** Gives the peer its time, anew. */
  #watch(): void {
    this.#stopWatch?.();
    // A write may outlive the pump, or close it: what becomes of it then concerns nobody.
    if (!this.#closed) this.#stopWatch = after(this.#writeTimeoutMs, () => this.#expire());
  }

  #expire(): void {
    if (this.#sink.queued) return this.#watch();
    this.close();
    this.#owner.stalled();
  }

  #unhold(lane: Lane): void {
    const { held } = lane;
    if (held === undefined) return;
    lane.held = undefined;
    this.#waiting?.delete(lane);
    this.#append(lane, lane.print(held));
  }

  #append(lane: Lane, frame: string): void {
    // Nothing to send: a request without a token has no progress frames.
    if (frame !== "") this.#batch.add(lane, frame);
  }

  #flush(): void {
    if (this.#batch.isEmpty || this.#writing || (this.#writes > 0 && !this.#sink.idle)) return;
    const frames = this.#batch.take();
    this.#wroteAt = performance.now();
    traffic.count(this.#wroteAt);
    this.#stopGathering();
    this.#writes += 1;
    // A sink may cause more frames while it writes: those wait for their turn.
    this.#writing = true;
    try {
      this.#sink.write(frames, this.#finishing && this.#batch.isEmpty, this);
    } catch (cause) {
      this.close();
      return this.#owner.failed(cause);
    } finally {
      this.#writing = false;
    }
    if (!this.#sink.idle && this.#stopWatch === undefined) this.#watch();
  }

  #settle(): void {
    if (this.#writes === 0) this.#tellFlushed();
  }

  #tellFlushed(): void {
    const flushed = this.#flushed ?? [];
    this.#flushed = undefined;
    for (const resolve of flushed) resolve();
  }

  #release(): void {
    const thirsty = this.#thirsty ?? [];
    this.#thirsty = undefined;
    for (const lane of thirsty) lane.release();
  }
}
