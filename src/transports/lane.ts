import type { ProgressEvent } from "../events/index.ts";
import type { EventPrinter } from "../wire/index.ts";
import type { Pump } from "./pump.ts";
import { turn } from "./turn.ts";

/** One request's way into a pump. */
export class Lane {
  readonly pump: Pump;
  readonly #printer: EventPrinter;
  #room: PromiseWithResolve | undefined;
  #ended = false;
  /** The latest update that found no room. */
  held: ProgressEvent | undefined;

  constructor(pump: Pump, printer: EventPrinter) {
    this.pump = pump;
    this.#printer = printer;
  }

  progress(event: ProgressEvent): void {
    this.pump.offer(this, event);
  }

  send(event: Parameters<EventPrinter["event"]>[0]): void {
    this.push(this.text(event));
  }

  /** An event as it is now, to be pushed later: what it holds may change. */
  text(event: Parameters<EventPrinter["event"]>[0]): string {
    return this.#printer.event(event);
  }

  push(frame: string): void {
    if (frame !== "") this.pump.push(this, frame);
  }

  print(event: ProgressEvent): string {
    return this.#printer.progress(event);
  }

  /** Resolves when there is room for more, at the latest when the lane ends; and lets the event loop turn. */
  drained(): Promise<void> {
    if (this.#ended || !this.pump.full) return turn();
    this.#room ??= withResolve();
    this.pump.await(this);
    return this.#room.promise.then(turn);
  }

  release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** The request is over; with `silent`, nothing more of it is written. */
  end(silent: boolean): void {
    this.#ended = true;
    if (silent) this.pump.forget(this);
    this.release();
  }
}

interface PromiseWithResolve {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolve(): PromiseWithResolve {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
