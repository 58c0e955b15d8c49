import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cancelled, Deadline, McpError, ToolError } from "../../src/errors.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, toErrorBody, toToolFailure } from "../../src/wire/index.ts";

const generic = { code: INTERNAL_ERROR, message: "Internal error" };
const failed = (text: string) => ({ type: "result", result: { content: [{ type: "text", text }], isError: true } });
const throwing = (): never => {
  throw new Error("secret");
};
const hostile: [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a number", 5],
  ["a symbol", Symbol("s")],
  ["an object", { code: 5 }],
  ["an object without a prototype", Object.create(null)],
  ["an empty message", new Error("")],
  ["a message that is no text", Object.assign(new Error(), { message: { secret: 1 } })],
  ["a throwing message", Object.defineProperty(new Error(), "message", { get: throwing })],
  ["a proxy that throws", new Proxy(new Error("secret"), { get: throwing, has: throwing, getPrototypeOf: throwing })],
  ["a throwing message of our own", Object.defineProperty(new McpError(1, ""), "message", { get: throwing })],
];

describe("a JSON-RPC error", () => {
  it("is what an McpError says", () => {
    expect(toErrorBody(new McpError(-32602, "no", { uri: "x" }))).toStrictEqual({
      code: -32602,
      message: "no",
      data: { uri: "x" },
    });
    expect(toErrorBody(new McpError(7, ""))).toStrictEqual({ code: 7, message: "" });
    expect(toErrorBody(new McpError(7, "", null))).toStrictEqual({ code: 7, message: "", data: null });
  });

  it.each([-32020, -32021, -32022, -32603, -32000, 0, 42])("may have the code %d", (code) => {
    expect(toErrorBody(new McpError(code, "no")).code).toBe(code);
  });

  it.each([-32042, -32023, -32099, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "never has the code %d, which the specification forbids",
    (code) => {
      expect(toErrorBody(new McpError(code, "no", 1))).toStrictEqual({ code: INTERNAL_ERROR, message: "no", data: 1 });
    },
  );

  it("calls a missing resource what this revision calls it", () => {
    expect(toErrorBody(new McpError(-32002, "no")).code).toBe(INVALID_PARAMS);
  });

  it("tells of a deadline, and of nothing else that was thrown", () => {
    expect(toErrorBody(new Deadline(50))).toStrictEqual({ code: INTERNAL_ERROR, message: new Deadline(50).message });
    for (const error of [new Error("secret"), new ToolError("secret"), new Cancelled("secret"), "secret"]) {
      expect(toErrorBody(error)).toStrictEqual(generic);
    }
  });

  it.each(hostile)("survives what is thrown: %s", (_, error) => {
    expect(toErrorBody(error)).toStrictEqual(generic);
  });
});

describe("a tool's failure", () => {
  it("is a result with the message, never a stack or a cause", () => {
    const error = new Error("disk full", { cause: new Error("secret") });
    expect(toToolFailure(error)).toStrictEqual(failed("disk full"));
    expect(toToolFailure(new Deadline(50))).toStrictEqual(failed(new Deadline(50).message));
  });

  it("is the text when a text is thrown, and the message of any thrown object that has one", () => {
    expect(toToolFailure("disk full")).toStrictEqual(failed("disk full"));
    expect(toToolFailure({ message: "disk full" })).toStrictEqual(failed("disk full"));
  });

  it("is the JSON-RPC error of an McpError, masked or not", () => {
    const ending = { type: "error", error: { code: -32602, message: "no" } };
    expect(toToolFailure(new McpError(-32602, "no"))).toStrictEqual(ending);
    expect(toToolFailure(new McpError(-32602, "no"), { maskErrors: true })).toStrictEqual(ending);
  });

  it("shows no message but a ToolError's when masked", () => {
    for (const error of [new Error("secret"), "secret", new Deadline(5), undefined]) {
      expect(toToolFailure(error, { maskErrors: true })).toStrictEqual(failed("The tool failed"));
    }
    expect(toToolFailure(new ToolError("disk full"), { maskErrors: true })).toStrictEqual(failed("disk full"));
  });

  it.each(hostile.slice(0, -1))("survives what is thrown: %s", (_, error) => {
    expect(toToolFailure(error)).toStrictEqual(failed("The tool failed"));
  });

  it("survives anything", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
        expect(() => JSON.stringify([toErrorBody(thrown), toToolFailure(thrown)])).not.toThrow();
      }),
    );
  });
});
