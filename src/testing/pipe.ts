import type { Sink, Writer } from "../transports/index.ts";

interface Write {
  readonly frames: string[];
  readonly writer: Writer;
}

/** A connection that holds what was written to it until somebody reads it, one message at a time. */
export class Pipe implements Sink {
  readonly #writes: Write[] = [];
  readonly #onRead: (frame: string) => void;
  readonly #onWritten: () => void;
  #size = 0;
  #demand = 0;
  #scheduled = false;

  /** `onWritten` is told of each write, before any of it is read. */
  constructor(onRead: (frame: string) => void, onWritten: () => void) {
    this.#onRead = onRead;
    this.#onWritten = onWritten;
  }

  get idle(): boolean {
    return this.#writes.length === 0;
  }

  /** What was written and not read, in characters. */
  get size(): number {
    return this.#size;
  }

  write(frames: readonly string[], _last: boolean, writer: Writer): void {
    this.#writes.push({ frames: [...frames], writer });
    for (const frame of frames) this.#size += frame.length;
    this.#onWritten();
    this.#schedule();
  }

  /** Reads so many messages more, as they come. */
  demand(count: number): void {
    this.#demand += count;
    this.#schedule();
  }

  /** Reads one message if there is one. */
  readOne(): void {
    const write = this.#writes[0];
    const frame = write?.frames.shift();
    if (write === undefined || frame === undefined) return;
    this.#size -= frame.length;
    if (write.frames.length === 0) this.#writes.shift();
    this.#onRead(frame);
    if (write.frames.length === 0) write.writer.done();
    else write.writer.taken();
  }

  /** Nothing more is read. */
  close(): void {
    this.#writes.length = 0;
    this.#size = 0;
    this.#demand = 0;
  }

  /** A write is not to be done before it has returned. */
  #schedule(): void {
    if (this.#scheduled || this.#demand === 0 || this.idle) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (this.#demand === 0 || this.idle) return;
      this.#demand -= 1;
      this.readOne();
      this.#schedule();
    });
  }
}
