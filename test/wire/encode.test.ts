import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, printError, printNotification, printRequest, printResult } from "../../src/wire/index.ts";

const framing = { before: "data: ", after: "\n\n" };

describe("a printed message", () => {
  it("is a request, a result, an error or a notification of JSON-RPC 2.0", () => {
    expect(printRequest(0, "a/b", { c: null })).toBe('{"jsonrpc":"2.0","id":0,"method":"a/b","params":{"c":null}}');
    expect(printResult(1, { a: 1 })).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":1}}');
    expect(printError("x", { code: -1, message: "no", data: [1] })).toBe(
      '{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"no","data":[1]}}',
    );
    expect(printNotification("a/b", { c: null })).toBe('{"jsonrpc":"2.0","method":"a/b","params":{"c":null}}');
  });

  it("stands within its framing", () => {
    expect(printResult(1, {}, framing)).toBe('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
    expect(printError(0, { code: 1, message: "" }, framing)).toMatch(/^data: \{.*\}\n\n$/);
    expect(printNotification("m", {}, framing)).toMatch(/^data: \{.*\}\n\n$/);
    expect(printRequest(1, "m", {}, framing)).toMatch(/^data: \{.*\}\n\n$/);
  });

  it("is one line for every reader, and says the same", () => {
    const text = "a\u2028b\u2029c\nd\r\u0085\ud800";
    for (const printed of [
      printResult(text, { [text]: text }),
      printError(text, { code: 1, message: text, data: text }),
      printNotification("m", { text }),
      printRequest(text, text, { text }),
    ]) {
      expect(printed).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(Buffer.from(printed).toString()).toBe(printed);
      expect(printed).toContain(String.raw`a\u2028b\u2029c\nd\r`);
      expect(JSON.stringify(JSON.parse(printed))).toContain(JSON.stringify(text));
    }
  });

  it.each(["\u2028", "\u2029"])("escapes %j also when it stands alone", (text) => {
    expect(printResult(1, { text })).toContain(`"\\u${text.charCodeAt(0).toString(16)}"`);
  });

  it("reads back as what was printed", () => {
    const id = fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger());
    fc.assert(
      fc.property(id, fc.dictionary(fc.string(), fc.jsonValue()), fc.string({ unit: "binary" }), (id, value, text) => {
        // JSON has no -0.
        const data = JSON.parse(JSON.stringify(value));
        const error = { code: 1, message: text, data };
        expect(JSON.parse(printResult(id, value))).toEqual({ jsonrpc: "2.0", id, result: data });
        expect(JSON.parse(printError(id, error))).toEqual({ jsonrpc: "2.0", id, error });
        expect(JSON.parse(printNotification(text, value))).toEqual({ jsonrpc: "2.0", method: text, params: data });
      }),
    );
  });
});

describe("an error", () => {
  it("has no id when none could be read", () => {
    expect(JSON.parse(printError(undefined, { code: -32700, message: "no" }))).toStrictEqual({
      jsonrpc: "2.0",
      error: { code: -32700, message: "no" },
    });
  });

  it("goes out without data that has no JSON form", () => {
    const error = { code: 1, message: "no" };
    for (const data of [1n, { a: 1n }, () => 1, cycle()]) {
      expect(JSON.parse(printError(1, { ...error, data }))).toStrictEqual({ jsonrpc: "2.0", id: 1, error });
    }
    expect(JSON.parse(printError(1, { ...error, data: 0 })).error.data).toBe(0);
  });
});

describe("a result", () => {
  it("is refused when it has no JSON form, or is no object in it", () => {
    const toJson = (value: unknown) => ({ toJSON: () => value });
    for (const result of [cycle(), { a: 1n }, toJson(undefined), toJson("text"), toJson(null), toJson([])]) {
      expect(() => printResult(1, result)).toThrow(TypeError);
    }
    expect(printResult(1, toJson({}))).toContain('"result":{}');
  });
});

function cycle(): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

describe("a printed request", () => {
  const id = fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger());
  const params = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));

  it("is decoded as what was printed", () => {
    fc.assert(
      fc.property(id, fc.string({ unit: "binary" }), params, (id, method, params) => {
        const sent = JSON.parse(JSON.stringify(params));
        expect(decodeText(printRequest(id, method, params))).toEqual({ type: "request", id, method, params: sent });
      }),
    );
  });

  it("throws when its params have no JSON form", () => {
    expect(() => printRequest(1, "m", { big: 1n })).toThrow(TypeError);
    expect(printRequest(1, "m", { big: 1 })).toContain('"big":1');
  });
});
