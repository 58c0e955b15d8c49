import { definePrompt } from "mcp-headway";
import { z } from "zod";
import { png } from "./media.ts";

const simple = definePrompt({
  name: "test_simple_prompt",
  description: "Takes no arguments",
  handler: () => "This is a simple prompt for testing.",
});

const words = ["paris", "park", "party", "test", "text"];

const withArguments = definePrompt({
  name: "test_prompt_with_arguments",
  description: "Takes two arguments, and suggests values for the first",
  argsSchema: z.object({
    arg1: z.string().describe("First test argument"),
    arg2: z.string().describe("Second test argument"),
  }),
  complete: { arg1: (typed) => words.filter((word) => word.startsWith(typed)) },
  handler: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
});

const withEmbeddedResource = definePrompt({
  name: "test_prompt_with_embedded_resource",
  description: "Shows a resource to the model",
  argsSchema: z.object({ resourceUri: z.string().describe("URI of the resource to embed") }),
  handler: ({ resourceUri: uri }) => [
    {
      role: "user",
      content: {
        type: "resource",
        resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
      },
    },
    { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
  ],
});

const withImage = definePrompt({
  name: "test_prompt_with_image",
  description: "Shows an image to the model",
  handler: () => [
    { role: "user", content: { type: "image", ...png } },
    { role: "user", content: { type: "text", text: "Please analyze the image above." } },
  ],
});

/** Prompts ask like tools do. */
const withQuestion = definePrompt({
  name: "test_input_required_result_prompt",
  description: "Asks the user for what is missing",
  handler: async (_args, ctx) => {
    const form = z.object({ context: z.string() });
    const { content } = await ctx.elicit("What context should the prompt use?", form, { key: "user_context" });
    return `Use this context: ${content?.context ?? "none"}`;
  },
});

export const prompts = [simple, withArguments, withEmbeddedResource, withImage, withQuestion];
