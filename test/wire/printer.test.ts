import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ResultEvent } from "../../src/events/index.ts";
import { createPrinter, INTERNAL_ERROR } from "../../src/wire/index.ts";

const printer = createPrinter({ id: 1, progressToken: "t" });
const notification = (params: object) => ({ jsonrpc: "2.0", method: "notifications/progress", params });

describe("progress", () => {
  it("is printed as the whole notification would be", () => {
    const token = fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger());
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const update = fc.record(
      { progress: number, total: number, message: fc.string({ unit: "binary" }) },
      { requiredKeys: ["progress"] },
    );
    fc.assert(
      fc.property(token, update, (progressToken, { progress, ...rest }) => {
        const printed = createPrinter({ id: 1, progressToken }).progress({ progress, ...rest });
        const whole = JSON.stringify(notification({ progressToken, progress, ...rest }));
        const escaped = whole.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
        expect(printed).toBe(escaped);
      }),
    );
  });

  it.each([0.1 + 0.2, 1e21, 5e-324, 2 ** 53 - 1, -1.5, 1.7976931348623157e308])("prints %d unrounded", (progress) => {
    expect(JSON.parse(printer.progress({ progress })).params.progress).toBe(progress);
  });

  it("prints -0 as 0", () => {
    expect(printer.progress({ progress: -0, total: -0 })).toContain('"progress":0,"total":0}');
  });

  it("keeps 0 and the empty text, and leaves out what is absent", () => {
    expect(JSON.parse(printer.progress({ progress: 0, total: 0, message: "" })).params).toStrictEqual({
      progressToken: "t",
      progress: 0,
      total: 0,
      message: "",
    });
    expect(JSON.parse(printer.progress({ progress: 1 })).params).toStrictEqual({ progressToken: "t", progress: 1 });
  });

  it.each([0, "", 7, "7", "\u2028"])("echoes the token %j with its type", (progressToken) => {
    const printed = createPrinter({ id: 1, progressToken }).progress({ progress: 1 });
    expect(JSON.parse(printed).params.progressToken).toBe(progressToken);
    expect(printed).not.toContain("\u2028");
  });

  it("stands within the framing", () => {
    const framed = createPrinter({ id: 1, progressToken: 1, framing: { before: "<", after: ">\n" } });
    expect(framed.progress({ progress: 1, message: "\n" })).toMatch(/^<\{.*\}>\n$/);
  });

  it("is nothing without a token", () => {
    expect(createPrinter({ id: 1, progressToken: undefined }).progress({ progress: 1 })).toBe("");
  });

  it("escapes what some readers take for the end of a line", () => {
    const printed = printer.progress({ progress: 1, message: "a\u2028b\u2029c\nd" });
    expect(printed).toContain(String.raw`"a\u2028b\u2029c\nd"`);
  });

  it("keeps half a surrogate pair escaped", () => {
    const printed = printer.progress({ progress: 1, message: "a\ud83d" });
    expect(printed).toContain(String.raw`"a\ud83d"`);
    expect(Buffer.from(printed).toString()).toBe(printed);
  });
});

describe("an event", () => {
  it("is a result", () => {
    expect(JSON.parse(printer.event({ type: "result", result: { a: 1 } }))).toStrictEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { a: 1 },
    });
  });

  it("is an error", () => {
    const error = { code: -32602, message: "no", data: { uri: "x" } };
    expect(JSON.parse(printer.event({ type: "error", error }))).toStrictEqual({ jsonrpc: "2.0", id: 1, error });
  });

  it("is a notification", () => {
    const event = { type: "notification", method: "a/b", params: { uri: "x" } } as const;
    expect(JSON.parse(printer.event(event))).toStrictEqual({ jsonrpc: "2.0", method: "a/b", params: { uri: "x" } });
  });

  it("is the questions of a round", () => {
    const inputRequests = { q: { method: "roots/list" } } as const;
    const printed = printer.event({ type: "input-required", inputRequests, requestState: "s" });
    expect(JSON.parse(printed).result).toStrictEqual({
      resultType: "input_required",
      inputRequests,
      requestState: "s",
    });
  });

  it("asks nothing when a round ends with its state alone", () => {
    const printed = printer.event({ type: "input-required", inputRequests: {}, requestState: "s" });
    expect(JSON.parse(printed).result).toStrictEqual({ resultType: "input_required", requestState: "s" });
  });
});

describe("what has no JSON form", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const throwing = (): never => {
    throw new Error("secret");
  };
  const nested = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  const results: [string, ResultEvent["result"]][] = [
    ["a BigInt", { a: 1n }],
    ["a cycle", cycle],
    ["a throwing toJSON", { a: { toJSON: throwing } }],
    ["a throwing getter", Object.defineProperty({}, "a", { enumerable: true, get: throwing })],
    ["a toJSON that gives undefined", { toJSON: () => undefined }],
    ["a toJSON that gives a text", { toJSON: () => "text" }],
    ["more depth than the stack has", nested],
  ];

  it.each(results)("becomes one error under the request's id: %s", (_, result) => {
    const unserializable = vi.fn<(cause: unknown) => void>();
    const framing = { before: "", after: "\n" };
    const printed = createPrinter({ id: "q", progressToken: 1, owner: { unserializable }, framing }).event({
      type: "result",
      result,
    });
    expect(printed.endsWith("}\n")).toBe(true);
    expect(JSON.parse(printed)).toStrictEqual({
      jsonrpc: "2.0",
      id: "q",
      error: { code: INTERNAL_ERROR, message: expect.not.stringContaining("secret") },
    });
    expect(unserializable).toHaveBeenCalledTimes(1);
    expect(unserializable).toHaveBeenCalledWith(expect.any(Error));
  });

  it("becomes one error also when it is a question", () => {
    const inputRequests = { q: { method: "roots/list", params: { a: 1n } } } as const;
    const printed = printer.event({ type: "input-required", inputRequests, requestState: "s" });
    expect(JSON.parse(printed)).toMatchObject({ id: 1, error: { code: INTERNAL_ERROR } });
  });

  it("is left out of an error, which goes out", () => {
    const unserializable = vi.fn<(cause: unknown) => void>();
    const printer = createPrinter({ id: 1, progressToken: 1, owner: { unserializable } });
    const printed = printer.event({ type: "error", error: { code: 5, message: "no", data: { a: 1n } } });
    expect(JSON.parse(printed).error).toStrictEqual({ code: 5, message: "no" });
  });

  it("ends no request when it is a notification: there is nothing to send", () => {
    const unserializable = vi.fn<(cause: unknown) => void>();
    const printer = createPrinter({ id: 1, progressToken: 1, owner: { unserializable } });
    expect(printer.event({ type: "notification", method: "m", params: { a: 1n } })).toBe("");
    expect(unserializable).toHaveBeenCalledTimes(1);
    expect(printer.event({ type: "notification", method: "m", params: {} })).not.toBe("");
  });
});
