import { definePrompt, type McpToolContext } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";
import { accept, legacy, pushing, textOf, type Version } from "./legacy.ts";

const titled = z.union([z.literal("a").meta({ title: "Apple" }), z.literal("b").meta({ title: "Berry" })]);
const whole = z.object({
  name: z.string().min(2).describe("Yours").default("Ann"),
  mail: z.email(),
  age: z.int().min(18).default(20),
  agreed: z.boolean().default(false),
  colour: z.enum(["red", "green"]).default("red"),
  fruit: titled,
});
const asking = (schema: z.ZodObject) => (ctx: McpToolContext) => ctx.elicit("Fill in", schema);
const opening = async (ctx: McpToolContext) => {
  await ctx.elicitUrl("One", "https://example.com/a");
  return (await ctx.elicitUrl("Two", "https://example.com/b")).action;
};
/** What a call ends in that can ask nothing. */
const refusal = async (version: Version, handler: (ctx: McpToolContext) => unknown) => {
  const { call, diagnostics } = pushing(handler, {}, { maskErrors: true });
  const { end, questions } = call(legacy(version));
  const result = resultOf(await end);
  expect(result).toMatchObject({ isError: true });
  expect(questions()).toEqual([]);
  expect(diagnostics).toEqual([]);
  return textOf(result);
};

describe("2025-11-25", () => {
  it("asks with everything a form can say", async () => {
    const several = z.object({ many: z.array(z.enum(["x", "y"])).default(["x"]), fruit: titled });
    const { question, answer, end } = pushing(asking(several)).call(legacy("2025-11-25"));
    expect((await question()).request.params).toMatchObject({
      mode: "form",
      requestedSchema: {
        properties: {
          many: { type: "array", items: { type: "string", enum: ["x", "y"] }, default: ["x"] },
          fruit: {
            oneOf: [
              { const: "a", title: "Apple" },
              { const: "b", title: "Berry" },
            ],
          },
        },
      },
    });
    await answer(accept({ many: ["y"], fruit: "a" }));
    expect(textOf(resultOf(await end))).toContain('"many":["y"]');
  });

  it("gives each URL question an id of its own, also when it is asked again", async () => {
    const { answer, questions, text } = pushing(opening).call(legacy("2025-11-25"));
    await answer({ action: "maybe" });
    await answer(accept(), 1);
    await answer(accept(), 2);
    expect(await text()).toBe("accept");
    const params = questions().map(({ request }) => z.looseObject({ elicitationId: z.uuid() }).parse(request.params));
    expect(params[0]).toMatchObject({ mode: "url", message: "One", url: "https://example.com/a" });
    expect(new Set(params.map(({ elicitationId }) => elicitationId)).size).toBe(3);
  });
});

describe("2025-06-18", () => {
  const known = legacy("2025-06-18", { elicitation: {} });

  it("asks without a mode, with titles beside the options, and with no defaults but for booleans", async () => {
    const { question, answer, end } = pushing(asking(whole)).call(known);
    expect((await question()).request).toStrictEqual({
      method: "elicitation/create",
      params: {
        message: "Fill in",
        requestedSchema: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 2, description: "Yours" },
            mail: { type: "string", format: "email" },
            age: { type: "integer", minimum: 18 },
            agreed: { type: "boolean", default: false },
            colour: { type: "string", enum: ["red", "green"] },
            fruit: { type: "string", enum: ["a", "b"], enumNames: ["Apple", "Berry"] },
          },
          required: ["mail", "fruit"],
        },
      },
    });
    await answer(accept({ mail: "ann@example.com", fruit: "b" }));
    const { structuredContent } = resultOf(await end);
    expect(structuredContent).toEqual({
      action: "accept",
      content: { name: "Ann", mail: "ann@example.com", age: 20, agreed: false, colour: "red", fruit: "b" },
    });
  });

  it("takes forms from a client that declares `elicitation` of any kind", async () => {
    const handler = asking(z.object({}));
    const { answer, end } = pushing(handler, { requires: { elicitation: { form: {} } } }).call(
      legacy("2025-06-18", { elicitation: { url: {} } }),
    );
    await answer({ action: "decline" });
    expect(resultOf(await end)).toMatchObject({ structuredContent: { action: "decline" } });
  });

  it.each<[string, (ctx: McpToolContext) => unknown, RegExp]>([
    ["URLs", opening, /which has no URL mode elicitation/],
    ["selections of several", asking(z.object({ many: z.array(z.enum(["x", "y"])) })), /selection of several.*"many"/],
    [
      "sampling with tools",
      (ctx) => ctx.requestInput({ method: "sampling/createMessage", params: { tools: [] } }),
      /sampling with tools/,
    ],
  ])("has no %s, which the error says", async (_, handler, text) => {
    expect(await refusal("2025-06-18", handler)).toMatch(text);
    expect(await refusal("2025-06-18", handler)).toMatch(/^The client speaks MCP 2025-06-18/);
  });
});

describe.each(["2025-03-26", "2024-11-05"] as const)("%s", (version) => {
  it.each<[string, (ctx: McpToolContext) => unknown]>([
    ["form", asking(z.object({}))],
    ["URL", opening],
    [
      "question in the protocol's own words",
      (ctx) => ctx.requestInput({ method: "elicitation/create", params: { message: "?", requestedSchema: {} } }),
    ],
  ])("has no elicitation, by %s, which the error says", async (_, handler) => {
    expect(await refusal(version, handler)).toMatch(`The client speaks MCP ${version}, which has no elicitation`);
  });

  it("ends a prompt that asks in -32603, which says so", async () => {
    const prompt = definePrompt({ name: "p", handler: async (_, ctx) => (await ctx.elicit("?", z.object({}))).action });
    const { server, diagnostics } = serverOf({ prompts: [prompt] });
    const error = errorOf(await ask(server, "prompts/get", { name: "p" }, legacy(version)));
    expect(error).toStrictEqual({ code: -32603, message: expect.stringContaining(`MCP ${version}`) });
    expect(diagnostics).toEqual([]);
  });

  it("lacks what a tool requires, whatever its client declares", async () => {
    const { call } = pushing(() => "ran", { requires: { elicitation: {} } });
    expect(textOf(resultOf(await call(legacy(version)).end))).toMatch(/"elicitation"/);
    expect(textOf(resultOf(await call(legacy("2025-06-18")).end))).toBe("ran");
  });
});
