import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sse, sseComment } from "../../src/transports/sse.ts";
import { createPrinter, printResult } from "../../src/wire/index.ts";

/** What WHATWG HTML makes of an event stream: any line end ends a line, a blank line an event. */
function parse(text: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === "") {
      if (data.length > 0) events.push(data.join("\n"));
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return events;
}

describe("a frame", () => {
  it("is one data line and a blank one", () => {
    expect(printResult(1, { ok: true }, sse)).toBe('data: {"jsonrpc":"2.0","id":1,"result":{"ok":true}}\n\n');
  });

  it("escapes what any reader may take for the end of a line", () => {
    const message = "a\u2028b\u2029c\nd\re";
    const frame = createPrinter({ id: 1, progressToken: "t", framing: sse }).progress({ progress: 1, message });
    expect(frame.split(/[\r\n\u2028\u2029]/)).toHaveLength(3);
    expect(JSON.parse(parse(frame)[0] ?? "").params.message).toBe(message);
  });

  it("cannot be forged by anything that is in a message", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
        const printer = createPrinter({ id: 1, progressToken: "t\n\ndata: x", framing: sse });
        const stream = texts.map((message, index) => printer.progress({ progress: index, message })).join(sseComment);
        expect(parse(stream).map((event) => JSON.parse(event).params.message)).toEqual(texts);
      }),
    );
  });
});

it("a comment is no event", () => {
  expect(parse(sseComment)).toEqual([]);
  expect(parse(`${sseComment}data: 1\n\n${sseComment}`)).toEqual(["1"]);
});
