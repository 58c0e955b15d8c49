import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxChunk } from "../../src/transports/bytes.ts";
import { encodeTextFrames } from "../../src/transports/text-frame.ts";
import { parseFrames } from "./frames.ts";

/** Joins fragments. */
function messagesOf(pieces: readonly Uint8Array[]): readonly string[] {
  const messages: string[] = [];
  let parts: Buffer[] = [];
  for (const { first, payload } of pieces.flatMap(parseFrames)) {
    expect(first & 0x0f).toBe(parts.length === 0 ? 1 : 0);
    parts.push(payload);
    if ((first & 0x80) === 0) continue;
    messages.push(Buffer.concat(parts).toString());
    parts = [];
  }
  expect(parts).toEqual([]);
  return messages;
}

describe("text frames", () => {
  it.each([
    ["", [0x81, 0]],
    ["hi", [0x81, 2, 0x68, 0x69]],
    ["é", [0x81, 2, 0xc3, 0xa9]],
  ])("have two bytes before %j", (text, bytes) => {
    expect(encodeTextFrames([text])).toEqual([Buffer.from(bytes)]);
  });

  it.each([
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_532, [0x81, 126, 0xff, 0xfc]],
  ])("say that %i bytes follow", (length, header) => {
    const [piece, ...more] = encodeTextFrames(["x".repeat(length)]);
    expect(more).toEqual([]);
    expect(piece).toHaveLength(header.length + length);
    expect([...(piece ?? []).slice(0, header.length)]).toEqual(header);
  });

  it("count bytes and not characters", () => {
    const text = "€".repeat(42);
    expect(encodeTextFrames([text])[0]?.subarray(0, 4)).toEqual(Buffer.from([0x81, 126, 0, 126]));
    expect(messagesOf(encodeTextFrames([text]))).toEqual([text]);
  });

  it("share one piece when they fit", () => {
    const pieces = encodeTextFrames(["a", "b", "c"]);
    expect(pieces).toHaveLength(1);
    expect(pieces.flatMap(parseFrames).map(({ payload }) => payload.toString())).toEqual(["a", "b", "c"]);
  });

  it("are fragments of a message that fills more than a piece, so that control frames may pass", () => {
    const pieces = encodeTextFrames(["before", "€".repeat(60_000), "after"]);
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(maxChunk);
    const flags = pieces.flatMap(parseFrames).map(({ first }) => first);
    expect(flags).toEqual([0x81, 0x01, 0x00, 0x80, 0x81]);
  });

  it("bring any messages back, in pieces of whole frames", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: 100, max: 200_000 }).map((length) => "xé€😀".repeat(length / 4)),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (messages) => {
        expect(messagesOf(encodeTextFrames(messages))).toEqual(messages);
      }),
      { numRuns: 50 },
    );
  });
});
