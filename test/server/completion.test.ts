import { type CompletionContext, definePrompt, defineResource, McpError } from "mcp-headway";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const contexts: CompletionContext[] = [];
const review = definePrompt({
  name: "review",
  argsSchema: z.object({ language: z.string(), style: z.string().optional(), broken: z.string(), late: z.string() }),
  complete: {
    language: (value, context) => {
      contexts.push(context);
      return ["python", "pytorch", "perl"].filter((each) => each.startsWith(value));
    },
    broken: (value) => {
      if (value === "mcp") throw new McpError(-32602, "not here");
      if (value === "odd") return [1] as unknown as string[];
      throw new Error("secret");
    },
    late: async () => Array.from({ length: 150 }, (_, index) => String(index)),
  },
  handler: () => "x",
});
const family = defineResource({
  uriTemplate: "db://{table}/{id}",
  name: "rows",
  complete: { table: () => ["users"] },
  read: () => "x",
});
const { server, diagnostics } = serverOf({ prompts: [review], resources: [family] });
const complete = (ref: object, name: unknown, value: unknown, more: object = {}, known: object = {}) =>
  ask(server, "completion/complete", { ref, argument: { name, value }, ...more }, known);
const ofReview = { type: "ref/prompt", name: "review" };
const ofRows = { type: "ref/resource", uri: "db://{table}/{id}" };

describe("completion/complete", () => {
  it("suggests values for a prompt's argument", async () => {
    expect(resultOf(await complete(ofReview, "language", "py"))).toEqual({
      completion: { values: ["python", "pytorch"], total: 2, hasMore: false },
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "help-desk", version: "1.0.0" } },
    });
  });

  it("suggests values for a template's variable", async () => {
    expect(resultOf(await complete(ofRows, "table", ""))).toMatchObject({ completion: { values: ["users"] } });
  });

  it("sends at most 100 values and says that there are more", async () => {
    const { completion } = resultOf(await complete(ofReview, "late", ""));
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(z.object({ values: z.array(z.string()) }).parse(completion).values).toHaveLength(100);
  });

  it("suggests nothing for an argument without a completer", async () => {
    expect(resultOf(await complete(ofReview, "style", ""))).toMatchObject({
      completion: { values: [], total: 0, hasMore: false },
    });
  });

  it("shows a completer the other arguments and who asks, and gives it no way to report or ask", async () => {
    contexts.length = 0;
    await complete(ofReview, "language", "p", { context: { arguments: { style: "terse" } } }, { principal: "ann" });
    expect(contexts).toEqual([{ arguments: { style: "terse" }, principal: "ann" }]);
    expectTypeOf<CompletionContext>().not.toHaveProperty("progress");
    expectTypeOf<CompletionContext>().not.toHaveProperty("elicit");
  });

  it.each([
    ["an unknown prompt", { type: "ref/prompt", name: "constructor" }, "language", ""],
    ["an unknown template", { type: "ref/resource", uri: "db://x" }, "table", ""],
    ["an unknown argument", ofReview, "toString", ""],
    ["an unknown reference", { type: "ref/tool", name: "review" }, "language", ""],
    ["a value that is no string", ofReview, "language", 7],
    ["a name that is no string", ofReview, 7, ""],
  ])("answers %s with -32602", async (_, ref, name, value) => {
    expect(errorOf(await complete(ref, name, value)).code).toBe(-32602);
  });

  it("is an internal error when a completer throws, and an McpError is itself", async () => {
    diagnostics.length = 0;
    expect(errorOf(await complete(ofReview, "broken", ""))).toEqual({ code: -32603, message: "Internal error" });
    expect(errorOf(await complete(ofReview, "broken", "odd"))).toEqual({ code: -32603, message: "Internal error" });
    expect(errorOf(await complete(ofReview, "broken", "mcp"))).toEqual({ code: -32602, message: "not here" });
    expect(diagnostics.map(({ type }) => type)).toEqual(["handler-failed", "invalid-output"]);
  });

  it("of what does not exist cannot be declared", () => {
    const argsSchema = z.object({ a: z.string() });
    // @ts-expect-error there is no argument `b`
    expect(() => definePrompt({ name: "p", argsSchema, complete: { b: () => [] }, handler: () => "x" })).toThrow(
      "`complete`",
    );
    expect(() =>
      // @ts-expect-error there is no variable `c`
      defineResource({ uriTemplate: "x:{b}", name: "r", complete: { c: () => [] }, read: () => "x" }),
    ).toThrow("`complete`");
  });
});
