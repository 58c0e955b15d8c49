// Tools that end a round with their questions. To their authors it looks like waiting.
import { defineTool, type McpElicitor } from "mcp-headway";
import { z } from "zod";

const askName = (ctx: McpElicitor, key: string, message: string) =>
  ctx.elicit(message, z.object({ name: z.string() }), { key }).then(({ content }) => content?.name ?? "stranger");

const askModel = (ctx: McpElicitor, key: string, text: string) =>
  ctx.requestInput(
    {
      method: "sampling/createMessage",
      params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 100 },
    },
    { key },
  );

const listRoots = (ctx: McpElicitor, key: string) => ctx.requestInput({ method: "roots/list", params: {} }, { key });

const oneQuestion = defineTool({
  name: "test_input_required_result_elicitation",
  description: "Asks the user for a name",
  handler: async (_args, ctx) => `Hello, ${await askName(ctx, "user_name", "What is your name?")}!`,
});

const oneCompletion = defineTool({
  name: "test_input_required_result_sampling",
  description: "Asks the client's model for a capital",
  handler: async (_args, ctx) => {
    const { content } = await askModel(ctx, "capital_question", "What is the capital of France?");
    return { content: [content].flat() };
  },
});

const rootsOfClient = defineTool({
  name: "test_input_required_result_list_roots",
  description: "Asks the client for its roots",
  handler: async (_args, ctx) => {
    const { roots } = await listRoots(ctx, "client_roots");
    return `The roots are ${roots.map(({ uri }) => uri).join(", ")}`;
  },
});

/** Questions that are asked together travel together. */
const manyQuestions = defineTool({
  name: "test_input_required_result_multiple_inputs",
  description: "Asks the user, the model and the client at once",
  handler: async (_args, ctx) => {
    const [name, greeting, { roots }] = await Promise.all([
      askName(ctx, "user_name", "What is your name?"),
      askModel(ctx, "greeting", "Generate a greeting"),
      listRoots(ctx, "client_roots"),
    ]);
    return { name, greeting: greeting.content, roots: roots.length };
  },
});

const manyRounds = defineTool({
  name: "test_input_required_result_multi_round",
  description: "Asks one question after the other",
  handler: async (_args, ctx) => {
    const name = await askName(ctx, "step1", "Step 1: What is your name?");
    const color = z.object({ color: z.string() });
    const { content } = await ctx.elicit("Step 2: What is your favorite color?", color, { key: "step2" });
    return `${name} likes ${content?.color ?? "no color"}`;
  },
});

/** What was made before the question comes back sealed; a state that somebody changed never gets this far. */
const sealedState = (name: string) =>
  defineTool({
    name,
    description: "Remembers something over a question",
    handler: async (_args, ctx) => {
      const remembered = await ctx.once("remembered", () => ctx.callId);
      const { content } = await ctx.elicit("Please confirm", z.object({ ok: z.boolean() }), { key: "confirm" });
      if (content?.ok !== true) return "Not confirmed";
      return remembered === ctx.callId ? "state-ok" : "The state is of another call";
    },
  });

const whatClientCan = defineTool({
  name: "test_input_required_result_capabilities",
  description: "Asks only what the client can answer",
  handler: async (_args, ctx) => {
    const { elicitation, sampling } = ctx.client.capabilities;
    const answers = await Promise.all([
      elicitation && askName(ctx, "elicit_input", "What is your name?"),
      sampling && askModel(ctx, "sample_input", "Sample request"),
    ]);
    return `${answers.filter((answer) => answer !== undefined).length} answers`;
  },
});

export const roundTools = [
  oneQuestion,
  oneCompletion,
  rootsOfClient,
  manyQuestions,
  manyRounds,
  sealedState("test_input_required_result_request_state"),
  sealedState("test_input_required_result_tampered_state"),
  whatClientCan,
];
