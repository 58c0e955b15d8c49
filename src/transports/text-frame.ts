import { maxChunk } from "./bytes.ts";

const FIN = 0x80;
const TEXT = 0x01;
const CONTINUATION = 0x00;
const maxHeader = 4;

/**
 * Encodes messages as WebSocket text frames, a server's (unmasked), RFC 6455 section 5. What fits together
 * is joined into one piece. A message that is larger than a piece is fragmented, so that every piece holds
 * whole frames and control frames may pass between them.
 */
export function encodeTextFrames(messages: readonly string[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  let size = 0;
  const lengths = messages.map((message) => Buffer.byteLength(message));
  const join = (end: number): void => {
    if (start < end) pieces.push(joined(messages, lengths, start, end, size));
    start = end;
    size = 0;
  };
  for (const [index, length] of lengths.entries()) {
    const framed = headerLength(length) + length;
    if (size + framed > maxChunk) join(index);
    if (framed <= maxChunk) {
      size += framed;
      continue;
    }
    pieces.push(...fragments(messages[index] ?? ""));
    start = index + 1;
  }
  join(messages.length);
  return pieces;
}

function joined(
  messages: readonly string[],
  lengths: readonly number[],
  start: number,
  end: number,
  size: number,
): Buffer {
  const piece = Buffer.allocUnsafe(size);
  let at = 0;
  for (let index = start; index < end; index += 1) {
    const message = messages[index] ?? "";
    const length = lengths[index] ?? 0;
    at = writeHeader(piece, at, FIN | TEXT, length);
    // Copying characters as they are is several times as fast, and right when each is one byte.
    piece.write(message, at, length, length === message.length ? "latin1" : "utf8");
    at += length;
  }
  return piece;
}

/** A fragment may end within a character: only the whole message is text. RFC 6455 section 5.6. */
function fragments(message: string): Uint8Array[] {
  const bytes = Buffer.from(message);
  const payload = maxChunk - maxHeader;
  const count = Math.ceil(bytes.length / payload);
  return Array.from({ length: count }, (_, index) => {
    const part = bytes.subarray(index * payload, (index + 1) * payload);
    const piece = Buffer.allocUnsafe(headerLength(part.length) + part.length);
    const opcode = index === 0 ? TEXT : CONTINUATION;
    part.copy(piece, writeHeader(piece, 0, index === count - 1 ? FIN | opcode : opcode, part.length));
    return piece;
  });
}

/** No frame is longer than `maxChunk`, so the form with 64 bits is never needed. */
function headerLength(length: number): number {
  return length <= 125 ? 2 : maxHeader;
}

/** Returns where the payload begins. */
function writeHeader(piece: Buffer, at: number, flags: number, length: number): number {
  piece[at] = flags;
  if (length <= 125) {
    piece[at + 1] = length;
    return at + 2;
  }
  piece[at + 1] = 126;
  piece.writeUInt16BE(length, at + 2);
  return at + 4;
}
