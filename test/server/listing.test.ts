import { definePrompt, defineResource, defineTool } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const toolNamed = (name: string) => defineTool({ name, description: "d", handler: () => undefined });
const tools = ["d", "b", "e", "a", "c"].map(toolNamed);
const namesOf = (result: Readonly<Record<string, unknown>>) =>
  z
    .array(z.looseObject({ name: z.string() }))
    .parse(result.tools)
    .map(({ name }) => name);

describe("a list", () => {
  it("shows a tool with its schemas and leaves out what it does not say", async () => {
    const tool = defineTool({
      name: "add",
      title: "Add",
      description: "Adds",
      icons: [{ src: "https://example.com/i.png" }],
      annotations: { readOnlyHint: true },
      inputSchema: z.object({ a: z.number().default(1).describe("first") }),
      outputSchema: z.object({ sum: z.number().default(0) }),
      handler: ({ a }) => ({ sum: a }),
    });
    const { server } = serverOf({ tools: [tool, toolNamed("bare")] });
    expect(resultOf(await ask(server, "tools/list")).tools).toEqual([
      {
        name: "add",
        title: "Add",
        description: "Adds",
        icons: [{ src: "https://example.com/i.png" }],
        annotations: { readOnlyHint: true },
        inputSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: { a: { type: "number", default: 1, description: "first" } },
        },
        outputSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: { sum: { type: "number", default: 0 } },
          required: ["sum"],
          additionalProperties: false,
        },
      },
      {
        name: "bare",
        description: "d",
        inputSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: {},
          additionalProperties: false,
        },
      },
    ]);
  });

  it("shows a prompt with its arguments", async () => {
    const prompt = definePrompt({
      name: "p",
      argsSchema: z.object({ a: z.string().describe("first").meta({ title: "A" }), b: z.string().optional() }),
      handler: () => "x",
    });
    expect(resultOf(await ask(serverOf({ prompts: [prompt] }).server, "prompts/list")).prompts).toEqual([
      {
        name: "p",
        arguments: [
          { name: "a", title: "A", description: "first", required: true },
          { name: "b", required: false },
        ],
      },
    ]);
  });

  it("shows resources apart from templates", async () => {
    const { server } = serverOf({
      resources: [
        defineResource({ uri: "a:b", name: "fixed", size: 3, mimeType: "text/plain", read: () => "x" }),
        defineResource({ uriTemplate: "a:{b}/c", name: "family", read: () => "x" }),
      ],
    });
    expect(resultOf(await ask(server, "resources/list")).resources).toEqual([
      { uri: "a:b", name: "fixed", size: 3, mimeType: "text/plain" },
    ]);
    expect(resultOf(await ask(server, "resources/templates/list")).resourceTemplates).toEqual([
      { uriTemplate: "a:{b}/c", name: "family" },
    ]);
  });

  it("is in the order of declaration, page after page, with one cache hint", async () => {
    const { server } = serverOf({ tools }, { pageSize: 2, ttlMs: 9, cacheScope: "public" });
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = resultOf(await ask(server, "tools/list", cursor === undefined ? {} : { cursor }));
      expect(page).toMatchObject({ ttlMs: 9, cacheScope: "public" });
      seen.push(...namesOf(page));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(["d", "b", "e", "a", "c"]);
  });

  it("has cursors that another process with the same definitions takes", async () => {
    const { nextCursor } = resultOf(await ask(serverOf({ tools }, { pageSize: 2 }).server, "tools/list"));
    const page = await ask(serverOf({ tools }, { pageSize: 2 }).server, "tools/list", { cursor: nextCursor });
    expect(namesOf(resultOf(page))).toEqual(["e", "a"]);
  });

  it("shows 100 at once by default", async () => {
    const many = Array.from({ length: 101 }, (_, index) => definePrompt({ name: `p${index}`, handler: () => "x" }));
    const all = resultOf(await ask(serverOf({ prompts: many.slice(1) }).server, "prompts/list"));
    expect([all.prompts, all.nextCursor]).toEqual([expect.objectContaining({ length: 100 }), undefined]);
    const { server } = serverOf({ prompts: many });
    const { prompts, nextCursor: cursor } = resultOf(await ask(server, "prompts/list"));
    expect(prompts).toHaveLength(100);
    expect(resultOf(await ask(server, "prompts/list", { cursor })).prompts).toHaveLength(1);
  });

  it("that fits has no further page", async () => {
    const { server } = serverOf({ tools }, { pageSize: 5 });
    expect(resultOf(await ask(server, "tools/list"))).not.toHaveProperty("nextCursor");
  });

  it.each([[""], ["x"], ["dG9vbHM6MQ=="], [7], [null], [{}]])("answers the cursor %j with -32602", async (cursor) => {
    const { server } = serverOf({ tools }, { pageSize: 2 });
    expect(errorOf(await ask(server, "tools/list", { cursor })).code).toBe(-32602);
  });

  it("takes no cursor of another list", async () => {
    const prompts = ["a", "b", "c"].map((name) => definePrompt({ name, handler: () => "x" }));
    const { server } = serverOf({ tools, prompts }, { pageSize: 2 });
    const { nextCursor } = resultOf(await ask(server, "tools/list"));
    expect(errorOf(await ask(server, "prompts/list", { cursor: nextCursor })).code).toBe(-32602);
    expect(resultOf(await ask(server, "tools/list", { cursor: nextCursor }))).toHaveProperty("tools");
  });
});
