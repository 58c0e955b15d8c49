import type { Framing } from "../wire/index.ts";

/** One message per line, ended by LF. MCP 2026-07-28, basic/transports/stdio. */
export const lines: Framing = { before: "", after: "\n" };

export interface LineReader {
  /** Takes bytes as they come. */
  push(chunk: Uint8Array): void;
  /** No more bytes come: what stands without an LF is a line as well. */
  end(): void;
}

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
export function createLineReader(maxBytes: number, { onLine, onOversize, onInvalid }: LineHandlers): LineReader {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let kept = none;
  let size = 0;
  let skipping = false;

  /** Bytes are copied: pieces of one byte would otherwise cost a hundred times their size. */
  const keep = (part: Uint8Array): void => {
    if (size + part.length > kept.length) kept = grow(kept, size, size + part.length);
    kept.set(part, size);
    size += part.length;
  };
  const take = (part: Uint8Array): void => {
    if (skipping) return;
    if (size + part.length <= maxBytes) return keep(part);
    skipping = true;
    onOversize();
  };
  const decode = (bytes: Uint8Array): void => {
    const end = bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
    let line: string;
    try {
      line = decoder.decode(bytes.subarray(0, end));
    } catch {
      return onInvalid();
    }
    if (line.trim() !== "") onLine(line);
  };
  const finish = (part: Uint8Array): void => {
    // Most lines come whole and need no copy.
    const whole = size === 0 && !skipping && part.length <= maxBytes;
    if (!whole) take(part);
    const bytes = whole ? part : kept.subarray(0, size);
    const skipped = skipping;
    kept = none;
    size = 0;
    skipping = false;
    if (!skipped) decode(bytes);
  };
  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        finish(chunk.subarray(start, at));
        start = at + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
    },
    end: () => finish(none),
  };
}

/** Doubles, so that a line costs linear time however small its pieces are. */
function grow(bytes: Uint8Array, size: number, needed: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(1_024, bytes.length * 2, needed));
  grown.set(bytes.subarray(0, size));
  return grown;
}
