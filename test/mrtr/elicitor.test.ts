import {
  type Answer,
  type Completer,
  type CompletionContext,
  defineTool,
  type McpElicitor,
  type McpPromptContext,
  type McpResourceContext,
  type McpToolContext,
  type MrtrContext,
} from "mcp-headway";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";

declare const ctx: McpToolContext;

describe("the types of asking", () => {
  it("infer an answer from its schema: what it outputs, and only when it was accepted", () => {
    const schema = z.object({ name: z.string(), age: z.int().default(0), kind: z.enum(["a", "b"]).optional() });
    type Content = { name: string; age: number; kind?: "a" | "b" | undefined };
    const form = () => ctx.elicit("A?", schema);
    expectTypeOf(form).returns.resolves.toEqualTypeOf<Answer<Content>>();
    const read = (answer: Answer<Content>) => {
      if (answer.action === "accept") expectTypeOf(answer.content).toEqualTypeOf<Content>();
      else expectTypeOf(answer.content).toEqualTypeOf<undefined>();
    };
    expectTypeOf(read).parameter(0).toExtend<{ readonly action: "accept" | "decline" | "cancel" }>();
    const url = () => ctx.elicitUrl("A?", "https://example.com");
    expectTypeOf(url).returns.resolves.toEqualTypeOf<Answer<undefined>>();
  });

  it("take an object schema only", () => {
    // @ts-expect-error a string is no form
    type Refused = ReturnType<typeof ctx.elicit<z.ZodString>>;
    expectTypeOf<Refused>().not.toBeNever();
  });

  it("give a response by its request's method", () => {
    const roots = () => ctx.requestInput({ method: "roots/list" });
    expectTypeOf(roots).returns.resolves.toHaveProperty("roots");
    const sample = () => ctx.requestInput({ method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
    expectTypeOf(sample).returns.resolves.toHaveProperty("model").toEqualTypeOf<string>();
    const elicit = () => ctx.requestInput({ method: "elicitation/create", params: { message: "A?" } });
    expectTypeOf(elicit).returns.resolves.toEqualTypeOf<Answer<unknown>>();
    // @ts-expect-error no client answers this
    const refused = () => ctx.requestInput({ method: "tools/list" });
    expectTypeOf(refused).toBeFunction();
  });

  it("let once return an interface, or nothing", () => {
    interface Receipt {
      readonly id: string;
      readonly note?: string;
    }
    const charge = () => ctx.once("charge", async (): Promise<Receipt> => ({ id: "1" }));
    expectTypeOf(charge).returns.resolves.toEqualTypeOf<Receipt>();
    const send = () => ctx.once("send", () => undefined);
    expectTypeOf(send).returns.resolves.toEqualTypeOf<undefined>();
    const later = () => ctx.later();
    expectTypeOf(later).returns.resolves.toEqualTypeOf<never>();
  });

  it("belong to the contexts of tools, prompts and resources, and to no completer", () => {
    expectTypeOf<McpToolContext>().toExtend<McpElicitor>();
    expectTypeOf<McpPromptContext>().toExtend<McpElicitor>();
    expectTypeOf<McpResourceContext>().toExtend<McpElicitor>();
    expectTypeOf<MrtrContext>().toExtend<McpElicitor>();
    type Context = Parameters<Completer>[1];
    expectTypeOf<Context>().toEqualTypeOf<CompletionContext>();
    expectTypeOf<Extract<keyof Context, keyof MrtrContext>>().toEqualTypeOf<"principal">();
  });

  it("give a handler its context without annotations", () => {
    defineTool({
      name: "t",
      description: "d",
      handler: async (_, context) => {
        expectTypeOf(context).toEqualTypeOf<McpToolContext>();
        return "";
      },
    });
  });
});
