import { attempt } from "../errors.ts";

/** What is written to: `process.stderr`, say. */
export interface LiveStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** A stream, safely: what it throws and the errors it emits harm nobody. Lines can be held back. */
export class Outlet {
  readonly stream: LiveStream;
  #held: string[] | undefined;

  constructor(stream: LiveStream) {
    this.stream = stream;
    contain(stream);
  }

  /** Some terminals say 0 for a size that they do not know. */
  get columns(): number {
    return this.stream.columns || 80;
  }

  write(text: string): void {
    attempt(() => this.stream.write(text));
  }

  /** Writes a line, once it may. */
  writeLine(text: string): void {
    if (this.#held === undefined) this.write(`${text}\n`);
    else this.#held.push(text);
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.writeLine(text);
  }
}

const contained = new WeakSet<LiveStream>();

/** A stream whose reader has left tells so at any later time, and would end the process: the listener stays. */
function contain(stream: LiveStream): void {
  if (contained.has(stream)) return;
  contained.add(stream);
  stream.on("error", () => {});
}
