import { defineResource, McpError } from "mcp-headway";
import { describe, expect, it, vi } from "vitest";
import { encodeBase64 } from "../../src/server/base64.ts";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const read = (server: Parameters<typeof ask>[0], uri: unknown, more: object = {}) =>
  ask(server, "resources/read", { uri, ...more });
const returning = (value: unknown, mimeType?: string) =>
  defineResource({ uri: "note://1", name: "note", mimeType, read: () => value as string });
const valueEvent = async (value: unknown, mimeType?: string) => {
  const { server, diagnostics } = serverOf({ resources: [returning(value, mimeType)] });
  return { event: await read(server, "note://1"), diagnostics };
};

describe("a resource's value", () => {
  it("is text contents with address and type when it is a string", async () => {
    expect(resultOf((await valueEvent("hello", "text/plain")).event)).toEqual({
      contents: [{ uri: "note://1", mimeType: "text/plain", text: "hello" }],
      ttlMs: 0,
      cacheScope: "private",
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "help-desk", version: "1.0.0" } },
    });
  });

  it("is a blob when it is bytes, however many", async () => {
    const bytes = Uint8Array.from({ length: 100_001 }, (_, index) => index % 256);
    const { contents } = resultOf((await valueEvent(bytes)).event);
    expect(contents).toEqual([{ uri: "note://1", blob: Buffer.from(bytes).toString("base64") }]);
  });

  it("is the same blob by whatever means the platform has", async () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251).subarray(7);
    const blob = Buffer.from(bytes).toString("base64");
    expect(encodeBase64(bytes)).toBe(blob);
    expect(encodeBase64(Object.assign(bytes.slice(), { toBase64: () => "native" }))).toBe("native");
    vi.stubGlobal("Buffer", undefined);
    const spelled = encodeBase64(bytes);
    vi.unstubAllGlobals();
    expect(spelled).toBe(blob);
  });

  it("is the result when it has an array of contents", async () => {
    const contents = [{ uri: "note://2", text: "two" }];
    expect(resultOf((await valueEvent({ contents })).event)).toMatchObject({ contents });
  });

  it.each([[undefined], [7], [[]], [{}]])("cannot be %j", async (value) => {
    const { event, diagnostics } = await valueEvent(value);
    expect(errorOf(event)).toEqual({ code: -32603, message: "Internal error" });
    expect(diagnostics).toMatchObject([{ type: "invalid-output", handlerName: "note://1" }]);
  });
});

describe("a resource", () => {
  const family = defineResource({
    uriTemplate: "note://{id}",
    name: "notes",
    read: (uri, { id }) => `${uri} is ${id}`,
  });

  it("is read by its own address before any template", async () => {
    const { server } = serverOf({ resources: [family, returning("fixed")] });
    expect(resultOf(await read(server, "note://1"))).toMatchObject({ contents: [{ text: "fixed" }] });
    expect(resultOf(await read(server, "note://a%20b"))).toMatchObject({ contents: [{ text: "note://a%20b is a b" }] });
  });

  it("is read by the first template that matches", async () => {
    const wide = defineResource({ uriTemplate: "note://{+rest}", name: "wide", read: () => "wide" });
    const { server } = serverOf({ resources: [family, wide] });
    expect(resultOf(await read(server, "note://1"))).toMatchObject({ contents: [{ text: "note://1 is 1" }] });
    expect(resultOf(await read(server, "note://1/2"))).toMatchObject({ contents: [{ text: "wide" }] });
  });

  it.each(["note://1/2", "other://1", "constructor", ""])(
    "that is unknown gives -32602 with its URI: %j",
    async (uri) => {
      const { server } = serverOf({ resources: [family] });
      expect(errorOf(await read(server, uri))).toEqual({ code: -32602, message: "Resource not found", data: { uri } });
    },
  );

  it("with a URI that is no string gives -32602", async () => {
    const { server } = serverOf({ resources: [family] });
    expect(errorOf(await read(server, 7)).code).toBe(-32602);
    expect(errorOf(await ask(server, "resources/read")).code).toBe(-32602);
  });

  it("that throws is an internal error, and an McpError is itself", async () => {
    const failing = (error: Error) => {
      const resource = defineResource({ uri: "a:b", name: "r", read: () => Promise.reject(error) });
      return read(serverOf({ resources: [resource] }).server, "a:b");
    };
    expect(errorOf(await failing(new Error("secret")))).toEqual({ code: -32603, message: "Internal error" });
    expect(errorOf(await failing(new McpError(-32602, "gone", { uri: "a:b" })))).toMatchObject({ code: -32602 });
  });
});

describe("a resource's cache hint", () => {
  const cached = defineResource({ uri: "a:b", name: "r", ttlMs: 60_000, cacheScope: "public", read: () => "x" });

  it("is its own, else the server's", async () => {
    const { server } = serverOf({ resources: [cached, returning("x")] }, { ttlMs: 5, cacheScope: "public" });
    expect(resultOf(await read(server, "a:b"))).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
    expect(resultOf(await read(server, "note://1"))).toMatchObject({ ttlMs: 5, cacheScope: "public" });
  });

  it("of a retry is 0 and private", async () => {
    let isFirst = true;
    const asking = defineResource({
      ...cached,
      uri: "a:c",
      read: async (_uri, _variables, ctx) => {
        if (!isFirst) return "x";
        isFirst = false;
        return ctx.later();
      },
    });
    const { server } = serverOf({ resources: [cached, asking] });
    const round = await read(server, "a:c");
    const requestState = round.type === "input-required" ? round.requestState : expect.unreachable();
    const cacheHint = { ttlMs: 0, cacheScope: "private" };
    expect(resultOf(await read(server, "a:c", { requestState }))).toMatchObject(cacheHint);
    expect(resultOf(await read(server, "a:b", { inputResponses: {} }))).toMatchObject(cacheHint);
  });

  it("cannot be set by what the reader returns", async () => {
    const { event } = await valueEvent({ contents: [], ttlMs: -1, cacheScope: "all" });
    expect(resultOf(event)).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  });
});
