import { definePrompt, defineResource, defineTool, McpError } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, observe, resultOf, serverOf } from "./kit.ts";
import { legacy, type Version, versions } from "./legacy.ts";

const since = (first: Version) => versions.filter((version) => version >= first);
const before = (first: Version) => versions.filter((version) => version < first);

const typed = (name: string, outputSchema: z.ZodType, value: unknown) =>
  defineTool({ name, description: "d", outputSchema, handler: () => value });
const offers = {
  title: "Help desk",
  instructions: "Be kind",
  tools: [
    typed("object", z.object({ n: z.number() }), { n: 1 }),
    typed("list", z.array(z.number()), [1, 2]),
    typed(
      "date",
      z.codec(z.iso.datetime(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() }).pipe(z.any()),
      "2026-01-01T00:00:00Z",
    ),
    defineTool({ name: "free", description: "d", handler: () => ({ a: 1 }) }),
    defineTool({
      name: "bare",
      description: "d",
      handler: () => ({ content: [], structuredContent: [1], _meta: { "a.b/c": 1 } }),
    }),
  ],
  prompts: [
    definePrompt({
      name: "p",
      argsSchema: z.object({ city: z.string() }),
      complete: { city: () => ["Rome"] },
      handler: () => "hi",
    }),
  ],
  resources: [
    defineResource({ uri: "a:b", name: "r", ttlMs: 5_000, cacheScope: "public", read: () => "text" }),
    defineResource({
      uriTemplate: "t:{id}",
      name: "t",
      read: (uri) => {
        throw new McpError(-32602, "Resource not found", { uri });
      },
    }),
  ],
};
const { server } = serverOf(offers);
const call = (version: Version, name: string) => ask(server, "tools/call", { name }, legacy(version));

describe.each(versions)("in %s", (version) => {
  const result = async (method: string, params = {}) => resultOf(await ask(server, method, params, legacy(version)));

  it("initialize tells the version, the server, what it offers and how to use it", async () => {
    expect(await result("initialize")).toStrictEqual({
      protocolVersion: version,
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      serverInfo: { name: "help-desk", version: "1.0.0", title: "Help desk" },
      instructions: "Be kind",
    });
  });

  it("ping is answered with nothing", async () => {
    expect(await result("ping")).toStrictEqual({});
  });

  it.each(["server/discover", "subscriptions/listen", "logging/setLevel", "resources/subscribe"])(
    "%s is no method",
    async (method) => {
      const params = { notifications: {}, uri: "a:b", level: "info" };
      expect(errorOf(await ask(server, method, params, legacy(version)))).toMatchObject({ code: -32601 });
      expect(await result("ping")).toStrictEqual({});
    },
  );

  it("results carry no type, no hints on caching and no identity", async () => {
    expect(await result("resources/read", { uri: "a:b" })).toStrictEqual({ contents: [{ uri: "a:b", text: "text" }] });
    expect(await result("resources/list")).toStrictEqual({ resources: [{ uri: "a:b", name: "r" }] });
    expect(await result("resources/templates/list")).toStrictEqual({
      resourceTemplates: [{ uriTemplate: "t:{id}", name: "t" }],
    });
    expect(await result("prompts/list")).toStrictEqual({
      prompts: [{ name: "p", arguments: [{ name: "city", required: true }] }],
    });
    expect(await result("prompts/get", { name: "p", arguments: { city: "Rome" } })).toStrictEqual({
      messages: [{ role: "user", content: { type: "text", text: "hi" } }],
    });
    const completed = await result("completion/complete", {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "city", value: "" },
    });
    expect(completed).toStrictEqual({ completion: { values: ["Rome"], total: 1, hasMore: false } });
  });

  it("a result keeps its own `_meta`, and no content of another kind", async () => {
    expect(resultOf(await call(version, "bare"))).toStrictEqual({ content: [], _meta: { "a.b/c": 1 } });
  });

  it("a handler cannot claim a result type or an identity", async () => {
    const _meta = { "io.modelcontextprotocol/serverInfo": { name: "other", version: "9" } };
    const value = { content: [], resultType: "input_required", ttlMs: 1, cacheScope: "public", _meta };
    const claiming = defineTool({ name: "t", description: "d", handler: () => value });
    const end = ask(serverOf({ tools: [claiming] }).server, "tools/call", { name: "t" }, legacy(version));
    expect(resultOf(await end)).toStrictEqual({ content: [] });
  });

  it("an unknown resource is -32002 with its uri, whoever finds it unknown", async () => {
    for (const uri of ["x:y", "t:1"]) {
      const error = errorOf(await ask(server, "resources/read", { uri }, legacy(version)));
      expect(error).toStrictEqual({ code: -32002, message: "Resource not found", data: { uri } });
    }
  });

  it("other wrong params are -32602, as in the modern era", async () => {
    const code = async (method: string, params: object) =>
      errorOf(await observe(server, { method, params: { ...params } }, legacy(version)).end).code;
    expect(await code("resources/read", { uri: 5 })).toBe(-32602);
    expect(await code("tools/call", { name: "unknown" })).toBe(-32602);
    expect(await code("prompts/get", { name: "p" })).toBe(-32602);
    expect(await code("tools/list", { cursor: "x" })).toBe(-32602);
    const missing = { ref: { type: "ref/resource", uri: "x:{y}" }, argument: { name: "y", value: "" } };
    expect(await code("completion/complete", missing)).toBe(-32602);
  });

  it("an error that only the modern era defines is an internal one", async () => {
    const tool = defineTool({
      name: "t",
      description: "d",
      handler: () => {
        throw new McpError(-32021, "No", { requiredCapabilities: {} });
      },
    });
    const failing = serverOf({ tools: [tool] }).server;
    expect(errorOf(await ask(failing, "tools/call", { name: "t" }, legacy(version)))).toMatchObject({ code: -32603 });
    expect(errorOf(await ask(failing, "tools/call", { name: "t" }))).toMatchObject({ code: -32021 });
  });

  it.each([0, "", 7])("progress goes out under the token %j", async (progressToken) => {
    const tool = defineTool({
      name: "t",
      description: "d",
      handler: (_, ctx) => {
        ctx.progress(1, 2, "half");
        ctx.progress(2, 2);
      },
    });
    const { events, end } = observe(
      serverOf({ tools: [tool] }).server,
      { params: { name: "t" }, progressToken },
      legacy(version),
    );
    await end;
    expect(events.slice(0, -1)).toEqual([
      { type: "progress", progress: 1, total: 2, message: "half" },
      { type: "progress", progress: 2, total: 2 },
    ]);
  });
});

describe("structured content", () => {
  it.each(since("2025-06-18"))("is an object in %s, and so is what `outputSchema` describes", async (version) => {
    const { tools } = resultOf(await ask(server, "tools/list", {}, legacy(version)));
    const described = z.array(z.looseObject({ name: z.string() })).parse(tools);
    expect(described.filter((tool) => "outputSchema" in tool).map(({ name }) => name)).toEqual(["object"]);
    expect(described).toHaveLength(offers.tools.length);
    expect(resultOf(await call(version, "object"))).toStrictEqual({
      content: [{ type: "text", text: '{"n":1}' }],
      structuredContent: { n: 1 },
    });
    expect(resultOf(await call(version, "free"))).toMatchObject({ structuredContent: { a: 1 } });
    expect(resultOf(await call(version, "list"))).toStrictEqual({ content: [{ type: "text", text: "[1,2]" }] });
    expect(resultOf(await call(version, "date"))).not.toHaveProperty("structuredContent");
  });

  it.each(before("2025-06-18"))("does not exist in %s: the text says it all", async (version) => {
    const { tools } = resultOf(await ask(server, "tools/list", {}, legacy(version)));
    expect(JSON.stringify(tools)).not.toContain("outputSchema");
    expect(tools).toHaveLength(offers.tools.length);
    expect(resultOf(await call(version, "object"))).toStrictEqual({ content: [{ type: "text", text: '{"n":1}' }] });
    expect(resultOf(await call(version, "free"))).toStrictEqual({ content: [{ type: "text", text: '{"a":1}' }] });
  });

  it("is whatever it is in the modern era", async () => {
    const list = resultOf(await ask(server, "tools/call", { name: "list" }));
    expect(list).toMatchObject({ structuredContent: [1, 2] });
    const { tools } = resultOf(await ask(server, "tools/list"));
    expect(
      z
        .array(z.looseObject({}))
        .parse(tools)
        .filter((tool) => "outputSchema" in tool),
    ).toHaveLength(3);
  });
});

describe("the eras", () => {
  it.each(["initialize", "ping"])("do not share %s", async (method) => {
    expect(errorOf(await ask(server, method))).toMatchObject({ code: -32601, message: `Method not found: ${method}` });
    expect(resultOf(await ask(server, method, {}, legacy("2025-11-25")))).toBeDefined();
  });

  it("are told apart by the exchange and not by what went before", async () => {
    const [old, next] = [await ask(server, "tools/list", {}, legacy("2024-11-05")), await ask(server, "tools/list")];
    expect(resultOf(old)).not.toHaveProperty("resultType");
    expect(resultOf(next)).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    expect(await ask(server, "tools/list", {}, legacy("2024-11-05"))).toEqual(old);
  });

  it("declare and serve in each only what something is registered for", async () => {
    const empty = serverOf({}).server;
    const { capabilities } = resultOf(await ask(empty, "initialize", {}, legacy("2025-11-25")));
    expect(capabilities).toStrictEqual({});
    for (const method of ["tools/list", "prompts/list", "resources/list", "completion/complete"]) {
      expect(errorOf(await ask(empty, method, {}, legacy("2025-11-25")))).toMatchObject({ code: -32601 });
    }
  });

  it("page through lists alike", async () => {
    const paged = serverOf({ tools: offers.tools }, { pageSize: 3 }).server;
    const first = resultOf(await ask(paged, "tools/list", {}, legacy("2025-06-18")));
    expect(first.tools).toHaveLength(3);
    const cursor = { cursor: first.nextCursor };
    const second = resultOf(await ask(paged, "tools/list", cursor, legacy("2025-06-18")));
    expect(Object.keys(second)).toEqual(["tools"]);
    expect(second.tools).toHaveLength(2);
  });
});
