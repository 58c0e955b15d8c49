import { ClientCapabilitiesSchema, type ImplementationSchema } from "@modelcontextprotocol/core";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { ClientCapabilities, Implementation } from "../../src/events/index.ts";
import {
  encodeEnvelope,
  INVALID_PARAMS,
  latestVersion,
  metaKeys,
  readEnvelope,
  supportedVersions,
} from "../../src/wire/index.ts";

const meta = { [metaKeys.protocolVersion]: "2026-07-28", [metaKeys.clientCapabilities]: {} };
const read = (more: object = {}) => readEnvelope({ _meta: { ...meta, ...more } });
const capabilities = (value: unknown) => read({ [metaKeys.clientCapabilities]: value });
const invalid = (message: string | RegExp) => ({
  type: "invalid",
  error: { code: INVALID_PARAMS, message: expect.stringMatching(message) },
});

describe("the envelope", () => {
  it("needs a version and capabilities, and no more", () => {
    expect(read()).toStrictEqual({ type: "envelope", envelope: { protocolVersion: "2026-07-28", capabilities: {} } });
  });

  it("may name the client and ask for progress", () => {
    const clientInfo = { name: "client", version: "1", icons: [], "com.example/more": true };
    expect(read({ [metaKeys.clientInfo]: clientInfo, progressToken: "t", "com.example/x": null })).toStrictEqual({
      type: "envelope",
      envelope: { protocolVersion: "2026-07-28", capabilities: {}, clientInfo, progressToken: "t" },
    });
  });

  it("takes any string for a version: whether it is spoken here is another question", () => {
    expect(read({ [metaKeys.protocolVersion]: "1900-01-01" })).toMatchObject({
      envelope: { protocolVersion: "1900-01-01" },
    });
  });

  it.each([
    {},
    { _meta: undefined },
    { _meta: null },
    { _meta: 5 },
    { _meta: [] },
    { _meta: {} },
    { _meta: { progressToken: 1 } },
  ])("is absent without a version: %j", (params) => {
    expect(readEnvelope(params)).toMatchObject({ type: "absent", error: { code: INVALID_PARAMS } });
  });

  it.each([5, null, {}])("is invalid, not absent, with the version %j", (version) => {
    expect(read({ [metaKeys.protocolVersion]: version })).toEqual(invalid(/protocolVersion/));
  });

  it("is invalid without capabilities", () => {
    const reading = readEnvelope({ _meta: { [metaKeys.protocolVersion]: "2026-07-28" } });
    expect(reading).toEqual(invalid(/clientCapabilities/));
  });

  it.each([
    null,
    "x",
    {},
    { name: "a" },
    { version: "1" },
    { name: 1, version: "1" },
    { name: "a", version: "1", title: 1 },
  ])("is invalid with the client info %j", (info) => {
    expect(read({ [metaKeys.clientInfo]: info })).toEqual(invalid(/clientInfo/));
  });

  it("carries `__proto__` as data", () => {
    const text = '{"elicitation":{},"__proto__":{"sampling":{}},"experimental":{"__proto__":{}}}';
    const reading = capabilities(JSON.parse(text));
    const found = reading.type === "envelope" ? reading.envelope.capabilities : {};
    expect(Object.keys(found)).toEqual(["elicitation", "__proto__", "experimental"]);
    expect(found.sampling).toBeUndefined();
  });
});

describe("a progress token", () => {
  it.each([0, "", 7, "7", -1, 2 ** 53 - 1])("may be %j, and keeps its type", (progressToken) => {
    expect(read({ progressToken })).toMatchObject({ type: "envelope", envelope: { progressToken } });
  });

  it.each(["null", "true", "{}", "[]", "1.5", "9007199254740992", "1e999"])("may not be %s", (token) => {
    expect(read({ progressToken: JSON.parse(token) })).toEqual(invalid(/`progressToken`: Expected a string or a safe/));
  });
});

describe("capabilities", () => {
  it.each([
    {},
    { elicitation: {} },
    { elicitation: { form: {}, url: { x: 1 }, more: 1 } },
    { sampling: { tools: {}, context: {} }, roots: { listChanged: true } },
    { experimental: { a: {} }, extensions: { "com.example/a": {} }, unknown: 5 },
  ])("are kept as they were sent: %j", (value) => {
    expect(capabilities(value)).toMatchObject({ type: "envelope", envelope: { capabilities: value } });
    const reading = capabilities(value);
    expect(reading.type === "envelope" && reading.envelope.capabilities).toStrictEqual(value);
  });

  it.each([
    [true, "clientCapabilities"],
    [null, "clientCapabilities"],
    [[], "clientCapabilities"],
    [{ elicitation: true }, "elicitation`: Invalid input: expected object, received boolean"],
    [{ elicitation: [] }, "elicitation"],
    [{ elicitation: null }, "elicitation"],
    [{ elicitation: { url: true } }, "elicitation.url"],
    [{ sampling: 1 }, "sampling"],
    [{ roots: "yes" }, "roots"],
    [{ extensions: { a: true } }, "extensions.a"],
  ])("are refused, by name, when they are %j", (value, path) => {
    expect(capabilities(value)).toEqual(invalid(path));
  });

  it("are refused whenever the official schemas refuse them", () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record({ form: fc.jsonValue(), url: fc.jsonValue(), tools: fc.jsonValue() }, { requiredKeys: [] }),
    );
    const value = fc.record({ elicitation: odd, sampling: odd, extensions: odd }, { requiredKeys: [] });
    fc.assert(
      fc.property(value, (sent) => {
        if (capabilities(sent).type === "envelope") expect(ClientCapabilitiesSchema.safeParse(sent).success).toBe(true);
      }),
    );
  });
});

describe("the types of this project", () => {
  it("take what the official schemas give", () => {
    expectTypeOf<z.output<typeof ImplementationSchema>>().toExtend<Implementation>();
    expectTypeOf<z.output<typeof ClientCapabilitiesSchema>>().toExtend<ClientCapabilities>();
  });
});

describe("an encoded envelope", () => {
  const identity = fc.record({ name: fc.string(), version: fc.string() }, { noNullPrototype: true });
  const envelopes = fc.record(
    {
      protocolVersion: fc.string(),
      capabilities: fc.constantFrom({}, { elicitation: { form: {} } }, { roots: {}, experimental: { x: {} } }),
      clientInfo: identity,
      progressToken: fc.oneof(fc.string(), fc.maxSafeInteger()),
    },
    { requiredKeys: ["protocolVersion", "capabilities"], noNullPrototype: true },
  );

  it("is read as what was encoded, over the wire", () => {
    fc.assert(
      fc.property(envelopes, (envelope) => {
        const _meta = JSON.parse(JSON.stringify(encodeEnvelope(envelope)));
        expect(readEnvelope({ _meta })).toStrictEqual({ type: "envelope", envelope });
      }),
    );
  });

  it("has no key for what is not said", () => {
    const said = { protocolVersion: latestVersion, capabilities: {}, clientInfo: undefined, progressToken: undefined };
    expect(encodeEnvelope(said)).toStrictEqual(meta);
    expect(encodeEnvelope({ ...said, progressToken: 0 })).toStrictEqual({ ...meta, progressToken: 0 });
  });

  it("names a version that is spoken here", () => {
    expect(supportedVersions).toContain(latestVersion);
  });
});
