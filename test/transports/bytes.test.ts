import { describe, expect, it } from "vitest";
import { byteSink, cutText, maxChunk, type Piece, split } from "../../src/transports/bytes.ts";

/** A stream that takes what it is told to. */
function createStream() {
  const written: { readonly piece: Piece; readonly done: (error?: Error | null) => void }[] = [];
  return {
    written,
    writableLength: 0,
    write(piece: Piece, _encoding: "utf8", done: (error?: Error | null) => void) {
      written.push({ piece, done });
    },
  };
}

const encode = (frames: readonly string[]) => frames.map((frame) => Buffer.from(frame));

describe("a byte sink", () => {
  it("hands over one piece at a time and tells of each that was taken", () => {
    const stream = createStream();
    const sink = byteSink(stream, encode);
    const told: string[] = [];
    sink.write(["a", "b"], false, { taken: () => told.push("taken"), done: () => told.push("done") });
    expect(stream.written).toHaveLength(1);
    expect(sink.idle).toBe(false);
    stream.written[0]?.done();
    expect(told).toEqual(["taken"]);
    expect(stream.written).toHaveLength(2);
    expect(sink.pending).toBe(true);
    stream.written[1]?.done();
    expect(told).toEqual(["taken", "taken", "done"]);
    expect(sink.pending).toBe(false);
  });

  it("is idle once the stream has let go of all pieces, called back or not", () => {
    const stream = createStream();
    const sink = byteSink(stream, encode);
    sink.write(["a"], false, { taken: () => undefined, done: () => undefined });
    expect(sink.idle).toBe(true);
    stream.writableLength = 1;
    expect(sink.idle).toBe(false);
  });

  it("stops at a failure", () => {
    const stream = createStream();
    const sink = byteSink(stream, encode);
    const told: string[] = [];
    sink.write(["a", "b"], false, { taken: () => told.push("taken"), done: () => told.push("done") });
    stream.written[0]?.done(new Error("EPIPE"));
    expect(told).toEqual([]);
    expect(stream.written).toHaveLength(1);
  });

  it("cuts a pile into pieces, none of which was ever one text with another", () => {
    expect(cutText(["a\n", "é\n"])).toEqual(["a\né\n"]);
    const half = "é".repeat(maxChunk / 2 + 1);
    const pieces = cutText([half, "a", half, "b".repeat(maxChunk * 2)]).map((piece) => Buffer.from(piece));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(maxChunk);
    expect(Buffer.concat(pieces).toString()).toBe(`${half}a${half}${"b".repeat(maxChunk * 2)}`);
    // More than a text can hold: 512 Mi characters.
    const quarter = "x".repeat(2 ** 28);
    expect(() => [quarter, quarter].join("")).toThrow("Invalid string length");
    expect(cutText([quarter, quarter])).toHaveLength((2 * 2 ** 28) / maxChunk);
  });

  it("leaves a text as it is while no character could make it larger than a piece", () => {
    const most = Math.floor(maxChunk / 3);
    const sizes = (length: number) => cutText(["\u20ac".repeat(length)]).map((piece) => Buffer.byteLength(piece));
    expect(cutText(["\u20ac".repeat(most)])).toEqual(["\u20ac".repeat(most)]);
    expect(sizes(most)).toEqual([most * 3]);
    expect(sizes(most + 1)).toEqual([maxChunk, 2]);
    expect(cutText(["a".repeat(most), "b"])).toEqual(["a".repeat(most), "b"]);
  });

  it("splits what is larger than a piece, and nothing else", () => {
    expect(split(Buffer.alloc(maxChunk))).toHaveLength(1);
    const whole = Buffer.from(Array.from({ length: maxChunk * 2 + 1 }, (_, index) => index % 256));
    const pieces = split(whole);
    expect(pieces.map(({ length }) => length)).toEqual([maxChunk, maxChunk, 1]);
    expect(Buffer.concat(pieces)).toEqual(whole);
  });
});
