import { expect } from "vitest";

export interface Frame {
  readonly first: number;
  readonly payload: Buffer;
}

/** Reads frames as RFC 6455 section 5.2 draws them, and nothing but whole ones. */
export function parseFrames(bytes: Uint8Array): readonly Frame[] {
  const buffer = Buffer.from(bytes);
  const frames: Frame[] = [];
  for (let at = 0; at < buffer.length; ) {
    const first = buffer.readUInt8(at);
    const short = buffer.readUInt8(at + 1);
    expect(short).toBeLessThan(127);
    const length = short === 126 ? buffer.readUInt16BE(at + 2) : short;
    const start = at + (short === 126 ? 4 : 2);
    expect(start + length).toBeLessThanOrEqual(buffer.length);
    frames.push({ first, payload: buffer.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
}
