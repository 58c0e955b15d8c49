import type { Sink } from "./pump.ts";

/** The part of a Node stream that is written to. */
export interface ByteStream {
  readonly writableLength: number;
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown;
}

/**
 * How much is handed to a stream at once, in bytes: small enough that a slow peer is seen to take something
 * long before it is given up.
 */
export const maxChunk = 65_536;

export interface ByteSink extends Sink {
  /** Whether the stream has not yet taken all that was written here. */
  readonly pending: boolean;
}

/** A sink over a byte stream. `encode` cuts the frames into pieces that may leave one by one. */
export function byteSink(stream: ByteStream, encode: (frames: readonly string[]) => readonly Uint8Array[]): ByteSink {
  let pending = 0;
  let left = 0;
  return {
    gatherMs: 1,
    get pending() {
      return pending > 0;
    },
    get idle() {
      return left === 0 && stream.writableLength === 0;
    },
    write(frames, _last, taken, done) {
      const pieces = encode(frames);
      pending += 1;
      left += pieces.length;
      const next = (at: number): void => {
        const piece = pieces[at];
        if (piece === undefined) {
          pending -= 1;
          return done();
        }
        left -= 1;
        stream.write(piece, (error) => {
          // The carrier hears of a failure from the stream itself, and gives it up.
          if (error) return;
          taken();
          next(at + 1);
        });
      };
      next(0);
    },
  };
}

/**
 * Encodes frames into pieces of at most `maxChunk`. What fits together is joined; but never all of it, for
 * a text has a largest length.
 */
export function encodeText(frames: readonly string[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let text = "";
  for (const frame of frames) {
    if (text !== "" && text.length + frame.length > maxChunk) {
      pieces.push(...split(Buffer.from(text)));
      text = "";
    }
    text += frame;
  }
  pieces.push(...split(Buffer.from(text)));
  return pieces;
}

/** Cuts bytes into pieces of `maxChunk`, without copying them. */
export function split(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length <= maxChunk) return [bytes];
  const count = Math.ceil(bytes.length / maxChunk);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * maxChunk, (index + 1) * maxChunk));
}
