import { definePrompt, defineResource, defineTool, type McpToolContext, type ToolResult } from "mcp-headway";
import { of } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";

const nothing = () => undefined;
const toolWith = (inputSchema: z.ZodType) => defineTool({ name: "t", description: "d", inputSchema, handler: nothing });
const header = (name: unknown) => ({ "x-mcp-header": name });

describe("a definition", () => {
  it("is frozen", () => {
    const tool = toolWith(z.object({}));
    const prompt = definePrompt({ name: "p", handler: () => "x" });
    const resource = defineResource({ uri: "a:b", name: "r", read: () => "x" });
    for (const definition of [tool, prompt, resource]) {
      expect(Object.isFrozen(definition)).toBe(true);
      expect(Object.isFrozen(definition.listing)).toBe(true);
    }
  });

  it("keeps the handler's own this", () => {
    const options = {
      name: "t",
      description: "d",
      answer: 42,
      handler() {
        return this.answer;
      },
    };
    expect(defineTool(options).handler({}, {} as McpToolContext)).toBe(42);
  });

  it.each([
    ["", TypeError],
    ["a b", TypeError],
    ["a,b", TypeError],
    ["x".repeat(129), TypeError],
    [7 as unknown as string, TypeError],
  ])("of a tool cannot be named %j", (name, error) => {
    expect(() => defineTool({ name, description: "d", handler: nothing })).toThrow(error);
    expect(() => defineTool({ name: "admin.tools_list-2", description: "d", handler: nothing })).not.toThrow();
  });

  it.each([
    ["timeoutMs", { timeoutMs: 0 }],
    ["timeoutMs", { timeoutMs: 2 ** 31 }],
    ["timeoutMs", { timeoutMs: Number.NaN }],
    ["cadence.burst", { cadence: { burst: 0, intervalMs: 1 } }],
  ])("checks %s", (named, limits) => {
    expect(() => defineTool({ name: "t", description: "d", handler: nothing, ...limits })).toThrow(named);
    expect(() => definePrompt({ name: "p", handler: () => "x", ...limits })).toThrow(named);
    expect(() => defineResource({ uri: "a:b", name: "r", read: () => "x", ...limits })).toThrow(named);
  });

  it("needs a function", () => {
    const handler = "x" as unknown as () => string;
    expect(() => defineTool({ name: "t", description: "d", handler })).toThrow("`handler` to be a function");
    expect(() => definePrompt({ name: "p", handler })).toThrow("`handler` to be a function");
    expect(() => defineResource({ uri: "a:b", name: "r", read: handler })).toThrow("`read` to be a function");
  });

  it.each(["not a uri", "", "/relative", 7])("of a resource needs an absolute URI, and %j is none", (uri) => {
    expect(() => defineResource({ uri: uri as string, name: "r", read: () => "x" })).toThrow("`uri`");
  });

  it("of a resource has an address or a template, not both and not neither", () => {
    // @ts-expect-error both
    expect(() => defineResource({ uri: "a:b", uriTemplate: "a:{b}", name: "r", read: () => "x" })).toThrow("one of");
    // @ts-expect-error neither
    expect(() => defineResource({ name: "r", read: () => "x" })).toThrow("one of");
  });

  it("of a resource checks its cache hint", () => {
    expect(() => defineResource({ uri: "a:b", name: "r", ttlMs: -1, read: () => "x" })).toThrow("`ttlMs`");
  });
});

describe("an input schema", () => {
  it.each([
    ["a date", z.object({ at: z.date() })],
    ["a string", z.string()],
    ["an array", z.array(z.string())],
    ["anything", z.any()],
    ["a union with a string", z.union([z.object({}), z.string()])],
  ])("cannot be %s", (_, schema) => {
    expect(() => toolWith(schema)).toThrow(TypeError);
    expect(() => toolWith(schema)).toThrow("`inputSchema`");
  });

  it.each([
    ["a record", z.record(z.string(), z.number())],
    ["a union of objects", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    [
      "a discriminated union",
      z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]),
    ],
    ["an object that is transformed", z.object({ a: z.string() }).transform(({ a }) => a)],
  ])("can be %s, and is listed as an object", (_, schema) => {
    expect(toolWith(schema).listing.inputSchema).toMatchObject({ type: "object" });
  });

  it("that is a plain record of schemas is refused with what to do", () => {
    expect(() => toolWith({ a: z.string() } as unknown as z.ZodType)).toThrow("z.object(");
  });
});

describe("x-mcp-header", () => {
  it.each([
    ["empty", z.object({ a: z.string().meta(header("")) })],
    ["no token", z.object({ a: z.string().meta(header("a b")) })],
    ["a header injection", z.object({ a: z.string().meta(header("a\r\nb")) })],
    ["no string", z.object({ a: z.string().meta(header(7)) })],
    ["used twice in another case", z.object({ a: z.string().meta(header("A")), b: z.string().meta(header("a")) })],
    ["on a number", z.object({ a: z.number().meta(header("A")) })],
    ["on an object", z.object({ a: z.object({}).meta(header("A")) })],
    ["on an array", z.object({ a: z.array(z.string()).meta(header("A")) })],
    ["inside an array", z.object({ a: z.array(z.object({ b: z.string().meta(header("B")) })) })],
    ["inside a union", z.object({ a: z.union([z.object({ b: z.string().meta(header("B")) }), z.null()]) })],
    ["inside a record", z.object({ a: z.record(z.string(), z.string().meta(header("B"))) })],
    ["behind a reference", z.object({ a: z.string().meta({ id: "x-mcp-header-test", ...header("A") }) })],
    ["on the schema itself", z.object({}).meta(header("A"))],
  ])("that is %s is refused", (_, schema) => {
    expect(() => toolWith(schema)).toThrow(TypeError);
    expect(() => toolWith(schema)).toThrow(/x-mcp-header/);
  });

  it("on strings, integers and booleans, nested in objects, is kept in the list", () => {
    const schema = z.object({ a: z.object({ b: z.int().meta(header("B")) }), c: z.enum(["x"]).meta(header("C")) });
    expect(toolWith(schema).headerParameters).toEqual([
      { header: "Mcp-Param-B", path: ["a", "b"] },
      { header: "Mcp-Param-C", path: ["c"] },
    ]);
    expect(toolWith(schema).listing.inputSchema).toMatchObject({
      properties: { a: { properties: { b: { "x-mcp-header": "B" } } }, c: { "x-mcp-header": "C" } },
    });
  });

  it("as data is no mark", () => {
    const schema = z.object({ a: z.object({ "x-mcp-header": z.string() }).default({ "x-mcp-header": "v" }) });
    expect(toolWith(schema).headerParameters).toEqual([]);
  });
});

describe("the types of a definition", () => {
  it("infer a tool's arguments and context", () => {
    defineTool({
      name: "t",
      description: "d",
      inputSchema: z.object({ a: z.string(), b: z.number().default(1) }),
      handler: (args, ctx) => {
        expectTypeOf(args).toEqualTypeOf<{ a: string; b: number }>();
        expectTypeOf(ctx).toEqualTypeOf<McpToolContext>();
        return args.a;
      },
    });
    defineTool({
      name: "t",
      description: "d",
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<Record<string, never>>();
      },
    });
  });

  it("hold a tool to its output schema, in each way to return", () => {
    const base = {
      name: "t",
      description: "d",
      outputSchema: z.object({ n: z.number(), unit: z.string().default("s") }),
    };
    defineTool({ ...base, handler: () => ({ n: 1 }) });
    defineTool({ ...base, handler: async () => ({ n: 1, unit: "h" }) });
    defineTool({ ...base, handler: () => of({ n: 1 }) });
    defineTool({ ...base, handler: async () => of({ n: 1 }) });
    defineTool({ ...base, handler: (): ToolResult => ({ content: [], structuredContent: { n: 1 } }) });
    // @ts-expect-error not a number
    defineTool({ ...base, handler: () => ({ n: "1" }) });
    // @ts-expect-error not a number
    defineTool({ ...base, handler: async () => ({ n: "1" }) });
    // @ts-expect-error not a number
    defineTool({ ...base, handler: () => of({ n: "1" }) });
    // @ts-expect-error nothing
    defineTool({ ...base, handler: () => undefined });
    // @ts-expect-error no content block
    defineTool({ ...base, handler: () => ({ content: [{ type: "txt" }] }) });
  });

  it("let a handler name its principal", () => {
    defineTool({
      name: "t",
      description: "d",
      handler: (_, ctx: McpToolContext<{ readonly id: number }>) => {
        expectTypeOf(ctx.principal).toEqualTypeOf<{ readonly id: number }>();
      },
    });
  });

  it("infer a prompt's arguments and hold it to text and messages", () => {
    definePrompt({
      name: "p",
      argsSchema: z.object({ a: z.string(), n: z.coerce.number().optional() }),
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: string; n?: number | undefined }>();
        return [{ role: "user", content: { type: "text", text: args.a } }];
      },
    });
    // @ts-expect-error a number is no message
    definePrompt({ name: "p", handler: () => 7 });
    // @ts-expect-error no such role
    definePrompt({ name: "p", handler: () => [{ role: "system", content: { type: "text", text: "x" } }] });
  });

  it("infer a template's variables and hold a resource to contents", () => {
    defineResource({
      uriTemplate: "db://{table}/{+rest}",
      name: "r",
      read: (uri, variables, ctx) => {
        expectTypeOf(uri).toEqualTypeOf<string>();
        expectTypeOf(variables).toEqualTypeOf<{ readonly table: string; readonly rest: string }>();
        expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
        return variables.rest;
      },
    });
    defineResource({
      uri: "a:b",
      name: "r",
      read: (_, variables) => {
        expectTypeOf(variables).toEqualTypeOf<Readonly<Record<string, never>>>();
        return new Uint8Array();
      },
    });
    // @ts-expect-error a reader of nothing
    defineResource({ uri: "a:b", name: "r", read: () => undefined });
  });
});

describe("definePrompt", () => {
  const promptOf = (argsSchema: z.ZodObject) =>
    definePrompt({ name: "p", description: "d", argsSchema, handler: () => "x" });

  it.each([
    ["a number", z.number()],
    ["a boolean", z.boolean().optional()],
    ["an array", z.array(z.string())],
  ])("refuses %s as an argument, since arguments of prompts are text", (_, argument) => {
    expect(() => promptOf(z.object({ n: argument }))).toThrow(/prompt argument `n`/);
  });

  it("takes what can be read from text", () => {
    const argsSchema = z.object({
      s: z.string(),
      e: z.enum(["a", "b"]).optional(),
      n: z.coerce.number().default(1),
      u: z.union([z.literal("x"), z.literal("y")]),
    });
    expect(() => promptOf(argsSchema)).not.toThrow();
  });
});
