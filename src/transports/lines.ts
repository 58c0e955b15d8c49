import type { Framing } from "../wire/index.ts";

/** One message per line, ended by LF. MCP 2026-07-28, basic/transports/stdio. */
export const lines: Framing = { before: "", after: "\n" };

export interface LineReader {
  /** Takes bytes as they come; calls `onLine` for each complete line, `onOversize` once for each that is too long. */
  push(chunk: Uint8Array): void;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits bytes at LF only; a CR before it and blank lines are dropped. Text is decoded once its line is
 * complete, so a character cut at a chunk's edge stays whole. A line over `maxBytes` is skipped up to its
 * LF, in linear time and without being kept.
 */
export function createLineReader(maxBytes: number, onLine: (line: string) => void, onOversize: () => void): LineReader {
  const decoder = new TextDecoder("utf-8");
  let parts: Uint8Array[] = [];
  let size = 0;
  let skipping = false;

  const keep = (part: Uint8Array): void => {
    if (skipping || part.length === 0) return;
    size += part.length;
    if (size > maxBytes) {
      skipping = true;
      parts = [];
      onOversize();
      return;
    }
    parts.push(part);
  };
  const finish = (): void => {
    const bytes = parts.length === 1 ? parts[0] : concat(parts, size);
    const skipped = skipping;
    parts = [];
    size = 0;
    skipping = false;
    if (skipped || bytes === undefined) return;
    const end = bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
    const line = decoder.decode(bytes.subarray(0, end));
    if (line.trim() !== "") onLine(line);
  };
  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        keep(chunk.subarray(start, at));
        finish();
        start = at + 1;
      }
      keep(chunk.subarray(start));
    },
  };
}

function concat(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
