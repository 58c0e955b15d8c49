import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineReader } from "../../src/transports/lines.ts";

type Event = string | { readonly fault: "oversize" | "invalid" };

function reader(maxBytes = 1_000) {
  const events: Event[] = [];
  const lines = new LineReader(maxBytes, {
    onLine: (line) => events.push(line),
    onOversize: () => events.push({ fault: "oversize" }),
    onInvalid: () => events.push({ fault: "invalid" }),
  });
  return { events, push: (chunk: Uint8Array) => lines.push(chunk), end: () => lines.end() };
}

/** Reads bytes that come in pieces of this size. */
function read(bytes: Uint8Array, pieceSize = bytes.length, maxBytes?: number): readonly Event[] {
  const { push, events } = reader(maxBytes);
  for (let at = 0; at < bytes.length; at += pieceSize) push(bytes.subarray(at, at + pieceSize));
  return events;
}

describe("a line reader", () => {
  it.each([1, 2, 3, 5, 1_000])("keeps characters whole when bytes come %i at a time", (pieceSize) => {
    const text = "😀 é €\nsecond 👩‍👩‍👧\n";
    expect(read(Buffer.from(text), pieceSize)).toEqual(["😀 é €", "second 👩‍👩‍👧"]);
  });

  it("reads the same lines however the bytes are cut", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => `${text.replaceAll(/[\r\n]/g, "")}.`);
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 50 }), (texts, pieceSize) => {
        expect(read(Buffer.from(texts.map((text) => `${text}\n`).join("")), pieceSize)).toEqual(texts);
      }),
    );
  });

  it("takes LF and CRLF as ends and drops blank lines", () => {
    expect(read(Buffer.from("a\r\n\r\n\n  \t\nb\n\r\nc\r\n"))).toEqual(["a", "b", "c"]);
  });

  it("breaks at nothing else", () => {
    const text = "a\u2028b\u2029c\rd\u0085e\u000bf\u000cg";
    expect(read(Buffer.from(`${text}\n`))).toEqual([text]);
  });

  it("drops a byte order mark before the first message", () => {
    expect(read(Buffer.from('\ufeff{"a":1}\n{"b":2}\n'))).toEqual(['{"a":1}', '{"b":2}']);
  });

  it("says so of a line that is not UTF-8, and reads the next", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\nnext\n')]);
    for (const pieceSize of [1, 1_000]) expect(read(bytes, pieceSize)).toEqual([{ fault: "invalid" }, "next"]);
  });

  it("tells a character that was cut for good from one that a chunk cut", () => {
    const cut = Buffer.from("😀").subarray(0, 3);
    expect(read(Buffer.concat([cut, Buffer.from("\n😀\n")]))).toEqual([{ fault: "invalid" }, "😀"]);
  });

  it("holds a line back until its end has come", () => {
    const { push, end, events } = reader();
    push(Buffer.from("half"));
    expect(events).toEqual([]);
    push(Buffer.from(" and half\nrest"));
    expect(events).toEqual(["half and half"]);
    end();
    expect(events).toEqual(["half and half", "rest"]);
    end();
    expect(events).toHaveLength(2);
  });

  it.each([1, 7, 1_000])("skips a line that is too long, in pieces of %i, and reads the next", (pieceSize) => {
    const text = `${"x".repeat(10)}\n${"y".repeat(11)}\n${"z".repeat(10)}\n`;
    expect(read(Buffer.from(text), pieceSize, 10)).toEqual(["x".repeat(10), { fault: "oversize" }, "z".repeat(10)]);
  });

  it("says that a line is too long before its end has come, and once", () => {
    const { push, events } = reader(10);
    push(Buffer.from("x".repeat(11)));
    push(Buffer.from("x".repeat(100)));
    expect(events).toEqual([{ fault: "oversize" }]);
    push(Buffer.from("x\nok\n"));
    expect(events).toEqual([{ fault: "oversize" }, "ok"]);
  });

  it("takes 50 MB without an end in the time that 50 MB take, and keeps none of it", () => {
    const { push, events } = reader(4_194_304);
    const chunk = Buffer.alloc(4_096, "x");
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 12_800; count += 1) push(chunk);
    const grown = process.memoryUsage().arrayBuffers - before;
    push(Buffer.from("\nnext\n"));
    expect(events).toEqual([{ fault: "oversize" }, "next"]);
    // What doubling leaves behind until it is collected, not 50 MB.
    expect(grown).toBeLessThan(24 * 1_048_576);
  });

  it("spends linear time on one long line in small pieces", () => {
    const time = (length: number): number => {
      const bytes = Buffer.alloc(length, "x");
      const start = performance.now();
      const { push, events } = reader(length);
      for (let at = 0; at < length; at += 64) push(bytes.subarray(at, at + 64));
      push(Buffer.from("\n"));
      expect(events).toHaveLength(1);
      return performance.now() - start;
    };
    time(262_144);
    // Sixteen times the bytes: quadratic time would be 256 times as long.
    expect(time(4_194_304)).toBeLessThan(100 * Math.max(1, time(262_144)));
  });

  it("does not keep a chunk alive for the sake of a short piece of it", () => {
    const { push, events } = reader(1_000);
    const chunk = Buffer.alloc(10, "x");
    push(chunk);
    chunk.fill("y");
    push(Buffer.from("\n"));
    expect(events).toEqual(["xxxxxxxxxx"]);
  });
});
