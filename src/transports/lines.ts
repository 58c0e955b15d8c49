import type { Framing } from "../wire/index.ts";

/** One message per line, ended by LF. MCP 2026-07-28, basic/transports/stdio. */
export const lines: Framing = { before: "", after: "\n" };

export interface LineHandlers {
  /** Told of each complete line, without its end. */
  readonly onLine: (line: string) => void;
  /** Told once, as soon as it is known, of each line that is too long. */
  readonly onOversize: () => void;
  /** Told of each line that is no UTF-8. */
  readonly onInvalid: () => void;
}

const LF = 0x0a;
const CR = 0x0d;
const none = new Uint8Array(0);

/**
 * Splits bytes at LF only; a CR before it and blank lines are dropped. Text is decoded once its line is
 * complete, so a character cut at a chunk's edge stays whole. A line over `maxBytes` is skipped up to its
 * LF, in linear time and without being kept.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #kept = none;
  #size = 0;
  #skipping = false;

  constructor(maxBytes: number, handlers: LineHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  /** Takes bytes as they come. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
      this.#finish(chunk.subarray(start, at));
      start = at + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** No more bytes come: what stands without an LF is a line as well. */
  end(): void {
    this.#finish(none);
  }

  #take(part: Uint8Array): void {
    if (this.#skipping) return;
    if (this.#size + part.length <= this.#maxBytes) return this.#keep(part);
    this.#skipping = true;
    this.#handlers.onOversize();
  }

  /** Bytes are copied: pieces of one byte would otherwise cost a hundred times their size. */
  #keep(part: Uint8Array): void {
    const size = this.#size + part.length;
    if (size > this.#kept.length) this.#kept = grow(this.#kept, this.#size, size);
    this.#kept.set(part, this.#size);
    this.#size = size;
  }

  #finish(part: Uint8Array): void {
    // Most lines come whole and need no copy.
    const isWhole = this.#size === 0 && !this.#skipping && part.length <= this.#maxBytes;
    if (!isWhole) this.#take(part);
    const bytes = isWhole ? part : this.#kept.subarray(0, this.#size);
    const skipped = this.#skipping;
    // Whoever is told of the line may push more.
    this.#kept = none;
    this.#size = 0;
    this.#skipping = false;
    if (!skipped) this.#decode(bytes);
  }

  #decode(bytes: Uint8Array): void {
    const end = bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
    let line: string;
    try {
      line = this.#decoder.decode(bytes.subarray(0, end));
    } catch {
      return this.#handlers.onInvalid();
    }
    if (line.trim() !== "") this.#handlers.onLine(line);
  }
}

/** Doubles, so that a line costs linear time however small its pieces are. */
function grow(bytes: Uint8Array, size: number, needed: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(1_024, bytes.length * 2, needed));
  grown.set(bytes.subarray(0, size));
  return grown;
}
