import { describe, expect, it } from "vitest";
import { INVALID_PARAMS, readInitialize, readLegacyMeta } from "../../src/wire/index.ts";

const sent = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "client", version: "1" } };
const invalid = (message: RegExp) => ({
  type: "invalid",
  error: { code: INVALID_PARAMS, message: expect.stringMatching(message) },
});

describe("initialize", () => {
  it("says the version, what the client can do, and who it is", () => {
    expect(readInitialize(sent)).toStrictEqual({ type: "initialize", ...sent });
  });

  it("is read with the version that both speak", () => {
    const read = (protocolVersion: string) => readInitialize({ ...sent, protocolVersion });
    expect(read("2024-11-05")).toMatchObject({ protocolVersion: "2024-11-05" });
    expect(read("2026-07-28")).toMatchObject({ protocolVersion: "2025-11-25" });
    expect(read("1.0.0")).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  it("is refused when it says more than a session should keep", () => {
    const capabilities = { elicitation: {}, junk: "A".repeat(20_000) };
    expect(readInitialize({ ...sent, capabilities })).toMatchObject(invalid(/at most 16384 characters/));
    const some = { elicitation: {}, junk: "A".repeat(10_000) };
    expect(readInitialize({ ...sent, capabilities: some })).toMatchObject({ type: "initialize" });
  });

  it("may leave out who the client is", () => {
    const { clientInfo: _, ...anonymous } = sent;
    expect(readInitialize(anonymous)).toStrictEqual({ type: "initialize", ...anonymous });
  });

  it("keeps capabilities that are unknown here", () => {
    const capabilities = { elicitation: {}, roots: { listChanged: true }, tasks: { list: {} }, unknown: 5 };
    const clientInfo = { name: "client", version: "1", icons: [] };
    expect(readInitialize({ ...sent, capabilities, clientInfo })).toMatchObject({ capabilities, clientInfo });
  });

  it("carries `__proto__` as data", () => {
    const reading = readInitialize({ ...sent, capabilities: JSON.parse('{"__proto__":{"sampling":{}}}') });
    const capabilities = reading.type === "initialize" ? reading.capabilities : {};
    expect(Object.keys(capabilities)).toEqual(["__proto__"]);
    expect(capabilities.sampling).toBeUndefined();
  });

  it.each([
    [{ protocolVersion: undefined }, /protocolVersion/],
    [{ protocolVersion: 20_250_618 }, /protocolVersion/],
    [{ capabilities: undefined }, /capabilities/],
    [{ capabilities: null }, /capabilities/],
    [{ capabilities: [] }, /capabilities/],
    [{ capabilities: { elicitation: true } }, /capabilities\.elicitation/],
    [{ clientInfo: null }, /clientInfo/],
    [{ clientInfo: { name: "client" } }, /clientInfo\.version/],
  ])("is refused, by name, with %j", (more, path) => {
    expect(readInitialize({ ...sent, ...more })).toEqual(invalid(path));
  });
});

describe("the `_meta` of a request without an envelope", () => {
  it.each([{}, { _meta: {} }, { _meta: { "com.example/x": null } }, { name: "x" }])(
    "may ask for nothing: %j",
    (params) => {
      expect(readLegacyMeta(params)).toStrictEqual({ type: "meta" });
    },
  );

  it.each([0, "", 7, "7", -1])("may ask for progress under %j, and keeps its type", (progressToken) => {
    expect(readLegacyMeta({ _meta: { progressToken } })).toStrictEqual({ type: "meta", progressToken });
  });

  it.each(["null", "true", "{}", "[]", "1.5", "9007199254740992", "1e999"])("may not ask under %s", (token) => {
    const reading = readLegacyMeta({ _meta: { progressToken: JSON.parse(token) } });
    expect(reading).toEqual(invalid(/`_meta\.progressToken`: Expected a string or a safe/));
  });

  it.each([null, 5, "x", []])("may not be %j", (_meta) => {
    expect(readLegacyMeta({ _meta })).toEqual(invalid(/_meta/));
  });
});
