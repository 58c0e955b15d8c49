import { defineTool, McpError, ToolError } from "mcp-headway";
import { of } from "rxjs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, callTool, errorOf, observe, resultOf, serverOf } from "./kit.ts";

const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "help-desk", version: "1.0.0" } };
const returning = (value: unknown) => defineTool({ name: "t", description: "d", handler: () => value });
const throwing = (error: unknown) =>
  defineTool({
    name: "t",
    description: "d",
    handler: () => {
      throw error;
    },
  });
const valueResult = async (value: unknown) =>
  resultOf(await callTool(serverOf({ tools: [returning(value)] }).server, "t"));

describe("a tool's value", () => {
  it("is the result when it is an object with an array content", async () => {
    const content = [{ type: "text", text: "done" }];
    expect(await valueResult({ content, structuredContent: { a: 1 }, _meta: { "x.y/z": 1 } })).toEqual({
      content,
      structuredContent: { a: 1 },
      resultType: "complete",
      _meta: { "x.y/z": 1, ...serverInfo },
    });
  });

  it("cannot claim another server's identity or result type", async () => {
    const _meta = { "io.modelcontextprotocol/serverInfo": { name: "other", version: "9" } };
    expect(await valueResult({ content: [], resultType: "input_required", _meta })).toEqual({
      content: [],
      resultType: "complete",
      _meta: serverInfo,
    });
  });

  it("is text alone when it is a string", async () => {
    expect(await valueResult("hello")).toEqual({
      content: [{ type: "text", text: "hello" }],
      resultType: "complete",
      _meta: serverInfo,
    });
  });

  it("is an empty content when there is none", async () => {
    expect(await valueResult(undefined)).toEqual({ content: [], resultType: "complete", _meta: serverInfo });
  });

  it("is JSON text and structured content when it is an object", async () => {
    expect(await valueResult({ a: 1 })).toMatchObject({
      content: [{ type: "text", text: '{"a":1}' }],
      structuredContent: { a: 1 },
    });
  });

  it.each([
    [42, "42"],
    [null, "null"],
    [false, "false"],
    [[1, 2], "[1,2]"],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])("is JSON text alone when it is %j", async (value, text) => {
    const result = await valueResult(value);
    expect(result.content).toEqual([{ type: "text", text }]);
    expect(result).not.toHaveProperty("structuredContent");
  });

  it("may come as a promise", async () => {
    expect(await valueResult(Promise.resolve("later"))).toMatchObject({ content: [{ type: "text", text: "later" }] });
  });

  it("may come as a promise of an Observable", async () => {
    expect(await valueResult(Promise.resolve(of("a", "b")))).toMatchObject({ content: [{ text: "b" }] });
  });

  it("ends the call at once when it is returned at once", () => {
    const { server } = serverOf({ tools: [returning("now")] });
    expect(resultOf(observe(server, { params: { name: "t" } }).ended())).toMatchObject({ content: [{ text: "now" }] });
  });

  const circular: { self?: unknown } = {};
  circular.self = circular;
  it.each([
    ["a circle", circular],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
  ])("that has no JSON form, such as %s, becomes one internal error", async (_, value) => {
    const { server, diagnostics } = serverOf({ tools: [returning(value)] });
    expect(errorOf(await callTool(server, "t"))).toEqual({ code: -32603, message: "Internal error" });
    expect(diagnostics).toMatchObject([{ type: "unserializable", method: "tools/call", handlerName: "t" }]);
  });
});

describe("text and structured content", () => {
  const agreed = (result: Readonly<Record<string, unknown>>) => {
    const [{ text } = { text: "" }] = result.content as { text: string }[];
    expect(JSON.parse(JSON.stringify(result.structuredContent))).toEqual(JSON.parse(text));
  };
  const counting = () => {
    let n = 0;
    return { toJSON: () => ({ n: ++n }) };
  };

  it("agree on a value that prints another time otherwise", async () => {
    agreed(await valueResult(counting()));
    const outputSchema = z.any();
    const tool = defineTool({ name: "t", description: "d", outputSchema, handler: counting });
    agreed(resultOf(await callTool(serverOf({ tools: [tool] }).server, "t")));
  });

  it("agree on a value that changes after it was returned", async () => {
    const rows = { count: 1 };
    const result = await valueResult(rows);
    rows.count = 2;
    agreed(result);
    expect(result.structuredContent).toEqual({ count: 1 });
  });
});

describe("an output schema", () => {
  const outputSchema = z.object({ n: z.number(), unit: z.string().default("s") });
  const tool = (value: unknown, schema: z.ZodType = outputSchema) =>
    defineTool({ name: "t", description: "d", outputSchema: schema, handler: () => value as { n: number } });
  const run = async (value: unknown, schema?: z.ZodType) => {
    const { server, diagnostics } = serverOf({ tools: [tool(value, schema)] });
    return { result: resultOf(await callTool(server, "t")), diagnostics };
  };

  it("sends what it made of the value", async () => {
    const { result } = await run({ n: 1, secret: "s" });
    expect(result).toMatchObject({ structuredContent: { n: 1, unit: "s" }, content: [{ text: '{"n":1,"unit":"s"}' }] });
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it.each([
    ["a number", 3, z.number(), "3"],
    ["an array", [1], z.array(z.number()), "[1]"],
    ["a string", "hi", z.string(), "hi"],
    ["null", null, z.null(), "null"],
  ])("structures %s too", async (_, value, schema, text) => {
    expect((await run(value, schema)).result).toMatchObject({ structuredContent: value, content: [{ text }] });
  });

  it("keeps a value that fails it from being sent, and tells the developer why", async () => {
    const { result, diagnostics } = await run({ n: "secret" });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("output schema") }] });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(diagnostics).toMatchObject([{ type: "invalid-output", cause: { message: expect.stringContaining("`n`") } }]);
  });

  it("says so under maskErrors too: the message tells nothing of the value", async () => {
    const { server } = serverOf({ tools: [tool({ n: "secret" })] }, { maskErrors: true });
    expect(resultOf(await callTool(server, "t"))).toMatchObject({
      content: [{ text: expect.stringContaining("output schema") }],
    });
  });

  it("judges the structured content of a result in the protocol's own form", async () => {
    const content = [{ type: "text", text: "x" }];
    expect((await run({ content, structuredContent: { n: 1 } })).result).toMatchObject({
      content,
      structuredContent: { n: 1, unit: "s" },
    });
    expect((await run({ content, structuredContent: {} })).result).toMatchObject({ isError: true });
    expect((await run({ content })).result).toMatchObject({ isError: true });
  });

  it("lets a result that says it is an error pass", async () => {
    const { result, diagnostics } = await run({ content: [{ type: "text", text: "no" }], isError: true });
    expect(result).toMatchObject({ isError: true, content: [{ text: "no" }] });
    expect(diagnostics).toEqual([]);
  });

  it("may need a promise", async () => {
    const schema = z.object({ n: z.number().refine(async (n) => n > 0) });
    expect((await run({ n: 1 }, schema)).result).toMatchObject({ structuredContent: { n: 1 } });
    expect((await run({ n: -1 }, schema)).result).toMatchObject({ isError: true });
  });
});

describe("a tool's arguments", () => {
  const add = defineTool({
    name: "add",
    description: "d",
    inputSchema: z.object({ a: z.number(), b: z.number().default(2) }),
    handler: ({ a, b }) => String(a + b),
  });

  it("arrive as the schema made them", async () => {
    expect(resultOf(await callTool(serverOf({ tools: [add] }).server, "add", { a: 1 }))).toMatchObject({
      content: [{ text: "3" }],
    });
  });

  it("that fail the schema give a result that names the issues, and no diagnostic", async () => {
    const { server, diagnostics } = serverOf({ tools: [add] }, { maskErrors: true });
    const result = resultOf(await callTool(server, "add", { a: "x" }));
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("`a`") }] });
    expect(diagnostics).toEqual([]);
  });

  it("may be left out, and are an empty object then", async () => {
    expect(resultOf(await callTool(serverOf({ tools: [add] }).server, "add"))).toMatchObject({ isError: true });
    expect(await valueResult("ok")).toMatchObject({ content: [{ text: "ok" }] });
  });

  it("are refused by a tool that takes none", async () => {
    const { server } = serverOf({ tools: [returning("ok")] });
    expect(resultOf(await callTool(server, "t", { a: 1 }))).toMatchObject({ isError: true });
    expect(resultOf(await callTool(server, "t", {}))).not.toHaveProperty("isError");
  });

  it("may need a promise to be checked, and each check runs once, from the first call on", async () => {
    let checks = 0;
    const isYes = async (a: string) => {
      checks += 1;
      return a === "yes";
    };
    const inputSchema = z.object({ a: z.string().refine(isYes) });
    const tool = defineTool({ name: "t", description: "d", inputSchema, handler: ({ a }) => a });
    const { server } = serverOf({ tools: [tool] });
    expect(resultOf(await callTool(server, "t", { a: "yes" }))).toMatchObject({ content: [{ text: "yes" }] });
    expect(checks).toBe(1);
    expect(resultOf(await callTool(server, "t", { a: "no" }))).toMatchObject({ isError: true });
    expect(checks).toBe(2);
  });

  it("whose check rejects end in a failure of their own, and nothing is left to reject", async () => {
    const stray: unknown[] = [];
    const keep = (reason: unknown) => void stray.push(reason);
    process.on("unhandledRejection", keep);
    const cause = new Error("no database");
    const inputSchema = z.object({ a: z.string().refine(() => Promise.reject(cause)) });
    const tool = defineTool({ name: "t", description: "d", inputSchema, handler: () => "ok" });
    const { server, diagnostics } = serverOf({ tools: [tool] }, { maskErrors: true });
    expect(resultOf(await callTool(server, "t", { a: "x" }))).toMatchObject({
      isError: true,
      content: [{ text: "The arguments could not be checked" }],
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", keep);
    expect(stray).toEqual([]);
    expect(diagnostics).toMatchObject([{ type: "check-failed", handlerName: "t", cause }]);
  });

  it("that are nested too deep for their schema are no failure of the handler", async () => {
    const inputSchema = z.object({ a: z.json() });
    const tool = defineTool({ name: "t", description: "d", inputSchema, handler: () => "ok" });
    const { server, diagnostics } = serverOf({ tools: [tool] });
    const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
    expect(resultOf(await callTool(server, "t", { a: nested(10) }))).not.toHaveProperty("isError");
    expect(resultOf(await callTool(server, "t", { a: nested(100_000) }))).toMatchObject({
      isError: true,
      content: [{ text: "The arguments could not be checked" }],
    });
    expect(diagnostics).toMatchObject([{ type: "check-failed", cause: expect.any(RangeError) }]);
  });

  it("may have a check that says itself what the client is told", async () => {
    const inputSchema = z.object({
      a: z.string().refine(() => {
        throw new McpError(-32602, "no such order");
      }),
    });
    const tool = defineTool({ name: "t", description: "d", inputSchema, handler: () => "ok" });
    const { server, diagnostics } = serverOf({ tools: [tool] });
    expect(errorOf(await callTool(server, "t", { a: "x" }))).toMatchObject({ message: "no such order" });
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ["no name", {}],
    ["a name that is no string", { name: 1 }],
    ["arguments that are an array", { name: "add", arguments: [] }],
    ["arguments that are null", { name: "add", arguments: null }],
  ])("of the wrong shape, such as %s, give -32602", async (_, params) => {
    const { server } = serverOf({ tools: [add] });
    expect(errorOf(await ask(server, "tools/call", params)).code).toBe(-32602);
  });

  it.each(["toString", "__proto__", "constructor", "nothing"])("for the unknown tool %s give -32602", async (name) => {
    const { server } = serverOf({ tools: [add] });
    expect(errorOf(await callTool(server, name, {}))).toMatchObject({
      code: -32602,
      message: expect.stringContaining(name),
    });
  });
});

describe("a tool that throws", () => {
  const run = async (error: unknown, maskErrors = false) => {
    const { server, diagnostics } = serverOf({ tools: [throwing(error)] }, { maskErrors });
    return { event: await callTool(server, "t"), diagnostics };
  };

  it("gives a result with the message, and the whole error to diagnostics", async () => {
    const cause = new Error("disk full", { cause: "secret" });
    const { event, diagnostics } = await run(cause);
    expect(resultOf(event)).toMatchObject({ isError: true, content: [{ type: "text", text: "disk full" }] });
    expect(JSON.stringify(event)).not.toMatch(/secret|tools-call/);
    expect(diagnostics).toEqual([
      { type: "handler-failed", message: expect.any(String), method: "tools/call", handlerName: "t", cause },
    ]);
  });

  it("hides the message under maskErrors, but for a ToolError", async () => {
    expect(JSON.stringify((await run(new Error("secret"), true)).event)).not.toContain("secret");
    expect(JSON.stringify((await run(new ToolError("shown"), true)).event)).toContain("shown");
  });

  it("gives that JSON-RPC error when it throws an McpError", async () => {
    const { event, diagnostics } = await run(new McpError(-32602, "no such order", { order: 7 }));
    expect(errorOf(event)).toEqual({ code: -32602, message: "no such order", data: { order: 7 } });
    expect(diagnostics).toEqual([]);
  });

  it("may reject instead", async () => {
    const tool = defineTool({ name: "t", description: "d", handler: () => Promise.reject(new Error("no")) });
    expect(resultOf(await callTool(serverOf({ tools: [tool] }).server, "t"))).toMatchObject({
      isError: true,
      content: [{ text: "no" }],
    });
  });

  it.each([undefined, null, "text", 7])("may throw %j", async (thrown) => {
    expect(resultOf((await run(thrown)).event)).toMatchObject({ isError: true });
  });
});

it("a tool that returns an error has failed, as one that throws it", async () => {
  const tool = defineTool({ name: "t", description: "d", handler: async () => new Error("no such ticket") });
  const result = resultOf(await ask(serverOf({ tools: [tool] }).server, "tools/call", { name: "t" }));
  expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: "no such ticket" }] });
});
