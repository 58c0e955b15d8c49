import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Decoded,
  decodeText,
  decodeValue,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
} from "../../src/wire/index.ts";

const base = { jsonrpc: "2.0", id: 1, method: "tools/call" };
const decode = (message: unknown): Decoded => decodeText(JSON.stringify(message));
const invalid = (rest: object = {}) => ({
  type: "invalid",
  error: { code: INVALID_REQUEST, message: expect.any(String) },
  ...rest,
});

describe("a request", () => {
  it("keeps its id, method and params", () => {
    expect(decode({ ...base, params: { name: "x" } })).toStrictEqual({
      type: "request",
      id: 1,
      method: "tools/call",
      params: { name: "x" },
    });
  });

  it("has empty params when it has none", () => {
    expect(decode(base)).toStrictEqual({ type: "request", id: 1, method: "tools/call", params: {} });
  });

  it.each([0, "", "1", -1, 2 ** 53 - 1, "🦊"])("may have the id %j", (id) => {
    expect(decode({ ...base, id })).toMatchObject({ type: "request", id });
  });

  it.each(["null", "1.5", "{}", "[1]", "true", "9007199254740992", "9007199254740993", "1e999", "-1e999"])(
    "may not have the id %s, and the error names none",
    (id) => {
      expect(decodeText(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toStrictEqual(invalid());
      expect(decodeText(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)).toMatchObject({ type: "request", id: 7 });
    },
  );

  it.each([undefined, "1.0", 2, null, "2.0 "])("is refused under its id when `jsonrpc` is %j", (jsonrpc) => {
    expect(decode({ ...base, jsonrpc })).toStrictEqual(invalid({ id: 1 }));
  });

  it.each([null, 5, {}, ["a"], true])("is refused under its id when the method is %j", (method) => {
    expect(decode({ ...base, method })).toStrictEqual(invalid({ id: 1 }));
  });

  it("is refused under its id when there is no method", () => {
    expect(decode({ jsonrpc: "2.0", id: "a" })).toStrictEqual(invalid({ id: "a" }));
  });

  it.each([null, 5, "x", [], [{}], false])("is refused under its id when the params are %j", (params) => {
    expect(decode({ ...base, params })).toStrictEqual(invalid({ id: 1 }));
  });

  it.each([{ result: {} }, { error: { code: 1, message: "" } }])(
    "is refused under its id when it has %j too",
    (more) => {
      expect(decode({ ...base, ...more })).toStrictEqual(invalid({ id: 1 }));
    },
  );

  it("carries `__proto__` as data", () => {
    const decoded = decodeText('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":1}}}');
    expect(decoded.type === "request" && Object.keys(decoded.params)).toEqual(["__proto__"]);
    expect(decoded).not.toHaveProperty("params.polluted");
    expect({}).not.toHaveProperty("polluted");
  });

  it("is not made by a `__proto__` that holds one", () => {
    expect(decodeText('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}')).toStrictEqual(invalid());
  });
});

describe("a notification", () => {
  it("has no id", () => {
    expect(decode({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } })).toStrictEqual({
      type: "notification",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
  });

  it.each([{ jsonrpc: "1.0" }, { params: [] }, { params: null }, { result: {} }])(
    "is one way when it is malformed by %j",
    (more) => {
      const notification = { jsonrpc: "2.0", method: "notifications/cancelled" };
      expect(decode({ ...notification, ...more })).toStrictEqual(invalid({ oneWay: true }));
    },
  );

  it("is not meant by an id that cannot be read", () => {
    expect(decode({ jsonrpc: "2.0", id: null, method: "ping" })).toStrictEqual(invalid());
  });
});

describe("a response", () => {
  const respond = (outcome: object) => decode({ jsonrpc: "2.0", id: "q", ...outcome });

  it.each([{ result: {} }, { result: { action: "accept" } }, { error: { code: -32603, message: "no", data: [1] } }])(
    "carries its outcome: %j",
    (outcome) => {
      expect(respond(outcome)).toStrictEqual({ type: "response", id: "q", ...outcome });
    },
  );

  it.each([0, "", -1])("may have the id %j", (id) => {
    expect(respond({ id, result: {} })).toStrictEqual({ type: "response", id, result: {} });
  });

  it.each([5, null, "x", [], false])("is one whatever its result is, so that nobody waits for ever: %j", (result) => {
    expect(respond({ result })).toStrictEqual({ type: "response", id: "q", result });
  });

  it.each([null, 5, {}, [], { code: 1.5, message: 5 }])("is an error whatever its error is: %j", (error) => {
    const body = { code: INTERNAL_ERROR, message: "The client gave no reason" };
    expect(respond({ error })).toStrictEqual({ type: "response", id: "q", error: body });
  });

  it("has one outcome: an error, unless it is null", () => {
    const error = { code: 1, message: "no" };
    expect(respond({ result: null, error })).toStrictEqual({ type: "response", id: "q", error });
    expect(respond({ result: {}, error })).toStrictEqual({ type: "response", id: "q", error });
    expect(respond({ result: {}, error: null })).toStrictEqual({ type: "response", id: "q", result: {} });
  });

  it.each([
    { jsonrpc: "2.0", id: null, error: { code: 1, message: "" } },
    { jsonrpc: "2.0", error: { code: 1, message: "" } },
    { jsonrpc: "2.0", id: 1.5, result: {} },
    { id: 1, result: {} },
  ])("is one way when it is malformed: %j", (response) => {
    expect(decode(response)).toStrictEqual(invalid({ oneWay: true }));
  });
});

describe("what is no message", () => {
  it.each(["", " ", "{", "undefined", "{'a':1}", "\u{feff}{}", "[1,", '{"a":1}{"a":1}', "NaN"])(
    "is a parse error when it is not JSON: %j",
    (text) => {
      const error = { code: PARSE_ERROR, message: expect.any(String) };
      expect(decodeText(text)).toStrictEqual({ type: "invalid", error });
    },
  );

  it("repeats nothing of what could not be parsed", () => {
    expect(JSON.stringify(decodeText('{"password":"hunter2"'))).not.toContain("hunter2");
  });

  it.each([null, 1, "x", true, [], [base], {}])("is invalid when it is JSON: %j", (value) => {
    expect(decode(value)).toStrictEqual(invalid());
  });

  it("is survived however deep it is", () => {
    expect(decodeText("[".repeat(200_000) + "]".repeat(200_000))).toStrictEqual(invalid());
  });
});

describe("decoding", () => {
  it("never throws on a text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
        expect(decodeText(text).type).toMatch(/^(request|notification|response|invalid)$/);
      }),
    );
  });

  it("never throws on JSON that looks like a message, and never invents an id", () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom("2.0", 1, "ping", {}, undefined));
    const message = fc.record(
      { jsonrpc: member, id: member, method: member, params: member, result: member, error: member },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(message, (value) => {
        const decoded = decodeValue(value);
        if ("id" in decoded) expect(decoded.id).toBe(value.id);
        if (decoded.type === "request" || decoded.type === "notification") expect(decoded.method).toBe(value.method);
        if (value.id !== undefined && value.method !== undefined) expect(decoded).not.toHaveProperty("oneWay");
      }),
    );
  });
});
