import type { Sink } from "./sink.ts";

/** The part of a Node stream that is written to. */
export interface ByteStream {
  readonly writableLength: number;
  write(piece: Piece, encoding: "utf8", done: (error?: Error | null) => void): unknown;
}

/** What is handed over at once. Node makes bytes of a text where it writes it, without an object for them. */
export type Piece = string | Uint8Array;

/**
 * How much is handed to a stream at once, in bytes: small enough that a slow peer is seen to take something
 * long before it is given up.
 */
export const maxChunk = 65_536;
/** A text of so many characters is no larger than a chunk: none of them takes more than three bytes. */
const maxText = Math.floor(maxChunk / 3);

export interface ByteSink extends Sink {
  /** Whether the stream has not yet taken all that was written here. */
  readonly pending: boolean;
}

/** A sink over a byte stream. `encode` cuts the frames into pieces that may leave one by one. */
export function byteSink(stream: ByteStream, encode: (frames: readonly string[]) => readonly Piece[]): ByteSink {
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
    write(frames, _last, writer) {
      const pieces = encode(frames);
      pending += 1;
      left += pieces.length;
      const next = (at: number): void => {
        const piece = pieces[at];
        if (piece === undefined) {
          pending -= 1;
          return writer.done();
        }
        left -= 1;
        stream.write(piece, "utf8", (error) => {
          // The carrier hears of a failure from the stream itself, and gives it up.
          if (error) return;
          writer.taken();
          next(at + 1);
        });
      };
      next(0);
    },
  };
}

/**
 * Cuts frames into pieces of at most `maxChunk`. What fits together is joined; but never all of it, for
 * a text has a largest length.
 */
export function cutText(frames: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let text = "";
  for (const frame of frames) {
    if (text !== "" && text.length + frame.length > maxText) {
      pieces.push(...cut(text));
      text = "";
    }
    text += frame;
  }
  pieces.push(...cut(text));
  return pieces;
}

function cut(text: string): readonly Piece[] {
  return text.length <= maxText ? [text] : split(Buffer.from(text));
}

/** Cuts bytes into pieces of `maxChunk`, without copying them. */
export function split(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length <= maxChunk) return [bytes];
  const count = Math.ceil(bytes.length / maxChunk);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * maxChunk, (index + 1) * maxChunk));
}
