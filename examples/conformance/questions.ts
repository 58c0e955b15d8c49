// Tools that ask their user or the client's model, and wait for the answer.
import { type Answer, defineTool } from "mcp-headway";
import { z } from "zod";

const askModel = defineTool({
  name: "test_sampling",
  description: "Asks the client's model",
  inputSchema: z.object({ prompt: z.string().describe("What to ask the model") }),
  requires: { sampling: {} },
  handler: async ({ prompt }, ctx) => {
    const messages = [{ role: "user", content: { type: "text", text: prompt } }];
    const { content } = await ctx.requestInput({
      method: "sampling/createMessage",
      params: { messages, maxTokens: 100 },
    });
    const texts = [content].flat().map((block) => (block.type === "text" ? block.text : block.type));
    return `LLM response: ${texts.join(" ")}`;
  },
});

const needsModel = defineTool({
  name: "test_missing_capability",
  description: "Is refused to clients without a model",
  requires: { sampling: {} },
  handler: () => "The client has a model",
});

const askUser = defineTool({
  name: "test_elicitation",
  description: "Asks the user",
  inputSchema: z.object({ message: z.string().describe("What to ask the user") }),
  handler: async ({ message }, ctx) => {
    const form = z.object({
      username: z.string().describe("User's response"),
      email: z.email().describe("User's email address"),
    });
    return `User response: ${outcome(await ctx.elicit(message, form))}`;
  },
});

const askWithDefaults = defineTool({
  name: "test_elicitation_sep1034_defaults",
  description: "Asks with a form that is filled in already",
  handler: async (_args, ctx) => {
    const form = z.object({
      name: z.string().default("John Doe").describe("User name"),
      age: z.int().default(30).describe("User age"),
      score: z.number().default(95.5).describe("User score"),
      status: z.enum(["active", "inactive", "pending"]).default("active").describe("User status"),
      verified: z.boolean().default(true).describe("Verification status"),
    });
    const answer = await ctx.elicit("Please review and update the form fields with defaults", form);
    return `Elicitation completed: ${outcome(answer)}`;
  },
});

function outcome({ action, content }: Answer<unknown>): string {
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

export const questionTools = [askModel, needsModel, askUser, askWithDefaults];
