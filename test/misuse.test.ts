import { createMcpServer, definePrompt, defineResource, defineTool, reportTo, type ToolDefinition } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { serveHttp } from "mcp-headway/http";
import { createMount, withToolContext } from "mcp-headway/sdk";
import { WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import { collectProgress } from "mcp-headway/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { describeGiven } from "../src/errors.ts";
import { checkPulse } from "../src/events/pulse.ts";
import { formSchema } from "../src/mrtr/form.ts";
import { printResult } from "../src/wire/index.ts";
import { createRecorder } from "./progress/recorder.ts";

const { source } = createRecorder();
const named = { name: "s", version: "1.0.0" };
const prompt = definePrompt({ name: "p", handler: () => "x" });
const tool = (inputSchema: z.ZodObject) => defineTool({ name: "t", description: "d", inputSchema, handler: () => "x" });
const form = (schema: unknown) => formSchema(schema as z.ZodObject);
const header = (schema: z.ZodType) => schema.meta({ "x-mcp-header": "Region" });

describe("an error on misuse says what it expected and what it got", () => {
  it.each<[expected: string, misuse: () => unknown]>([
    [
      "Expected one of `uri` and `uriTemplate`, got both",
      () => defineResource({ uri: "a:b", uriTemplate: "a:{b}", name: "r", read: () => "x" } as never),
    ],
    [
      "Expected one of `uri` and `uriTemplate`, got neither",
      () => defineResource({ name: "r", read: () => "x" } as never),
    ],
    [
      "Expected `tools[0]` to be made by defineTool, got a prompt",
      () => createMcpServer({ ...named, tools: [prompt as never as ToolDefinition] }),
    ],
    [
      "Expected `prompts[1]` to be made by definePrompt, got an object",
      () => createMcpServer({ ...named, prompts: [prompt, {} as never] }),
    ],
    [
      "Expected `resources[0]` to be made by defineResource, got undefined",
      () => createMcpServer({ ...named, resources: [undefined as never] }),
    ],
    [
      "Expected `tools` to be an array, got a tool",
      () => createMcpServer({ ...named, tools: tool(z.object({})) as never }),
    ],
    [
      'Expected `requires` to name elicitation, sampling, roots, experimental, extensions, got "elicit"',
      () => defineTool({ name: "t", description: "d", requires: { elicit: true } as never, handler: () => "x" }),
    ],
    [
      'Expected `requires` to be an object of capabilities, got "elicitation"',
      () => definePrompt({ name: "p", requires: "elicitation" as never, handler: () => "x" }),
    ],
    [
      "Expected `requires.elicitation` to be an object, such as {}, got true",
      () => defineResource({ uri: "a:b", name: "r", requires: { elicitation: true } as never, read: () => "x" }),
    ],
    [
      'Expected `cadence` to be "every" or { burst, intervalMs }, got "all"',
      () => createMcpServer(named, { cadence: "all" as never }),
    ],
    [
      "Expected `inputSchema` to be a schema of zod 4, such as z.object({ … }), got one of zod 3",
      () => defineTool({ name: "t", description: "d", inputSchema: z3.object({}) as never, handler: () => "x" }),
    ],
    ["Expected `schema` to be made by z.object({ … }) of zod 4, got a schema of type string", () => form(z.string())],
    ["Expected phases to be at least one, got none", () => source.phases({})],
    ["Expected `emitter` to be a progress emitter, got undefined", () => reportTo(undefined as never)],
    ["Expected a pulse to be { everyMs, forMs }, got undefined", () => checkPulse(undefined as never)],
    [
      "Expected an Observable, such as `client.streamTool(…)`, got an object",
      () => collectProgress(Promise.resolve() as never),
    ],
    [
      "Expected `server` to be an McpServer of the official SDK, got an object",
      () => createMount({}).registerOn(createMcpServer(named) as never),
    ],
    ['Expected the handler to be a function, got "x"', () => withToolContext("x" as never)],
    [
      "Expected `name` to be a string that is not empty, got an array",
      () => createMcpServer({ ...named, name: [] as never }),
    ],
    [
      'Expected `pageSize` to be an integer of at least 1, got "9"',
      () => createMcpServer(named, { pageSize: "9" as never }),
    ],
    [
      "Expected `timeoutMs` to be greater than 0 and at most 2147483647, got 0",
      () => createMcpServer(named, { timeoutMs: 0 }),
    ],
    [
      'Expected `timeoutMs` to be greater than 0 and at most 2147483647, got "5"',
      () => createMcpServer(named, { timeoutMs: "5" as never }),
    ],
    [
      "Expected `closeGraceMs` to be at least 0 and at most 2147483647, got -1",
      () => createMcpServer(named, { closeGraceMs: -1 }),
    ],
    [
      "Expected `requestState.ttlMs` to be an integer of at least 1, got 0.5",
      () => createMcpServer(named, { requestState: { ttlMs: 0.5 } }),
    ],
    [
      'Expected prompt argument `rows` to take a string, as all that prompts are given, got {"type":"number"}',
      () => definePrompt({ name: "p", argsSchema: z.object({ rows: z.number() }), handler: () => "x" }),
    ],
    [
      "Expected `region` with x-mcp-header to be a string, an integer or a boolean, got number",
      () => tool(z.object({ region: header(z.number()) })),
    ],
    [
      "Expected `region` with x-mcp-header to be a string, an integer or a boolean, got no type",
      () => tool(z.object({ region: header(z.unknown()) })),
    ],
    ["Expected `schema` to be made by z.object({ … }) of zod 4, got a function", () => form(() => z.object({}))],
    [
      'Expected property "a" of the form to be a string of format email, uri, date or date-time, or of none, got ipv4',
      () => form(z.object({ a: z.ipv4() })),
    ],
    ["Expected a result to be an object in JSON, got [1,2]", () => printResult(1, [1, 2] as never)],
  ])("%s", (expected, misuse) => {
    expect(misuse).toThrow(new RegExp(`^${escaped(expected)}$`));
  });

  it.each<[expected: string, misuse: () => Promise<unknown>]>([
    [
      "Expected `authenticate` to be a function, got null",
      () => serveHttp(createMcpServer(named), { authenticate: null as never }),
    ],
    [
      'Expected `challenge` to be a header value in ASCII, got "Bearer\\nX"',
      () => serveHttp(createMcpServer(named), { challenge: "Bearer\nX" }),
    ],
    [
      'Expected `message` to be a function of an item, got "x"',
      async () =>
        source
          .track([1], "x" as never)
          [Symbol.asyncIterator]()
          .next(),
    ],
    [
      "Expected `server` to be made by createMcpServer, got something without `diagnostics`",
      async () => connect(named as never),
    ],
    [
      "Expected a transport to be started once, got a start after it was closed; make a new one to connect again",
      async () => {
        const transport = new WebSocketClientTransport("ws://127.0.0.1:1");
        await transport.close();
        await transport.start();
      },
    ],
    [
      "Expected the transport to be started before it sends, got a message first",
      () => new WebSocketClientTransport("ws://127.0.0.1:1").send({ jsonrpc: "2.0", method: "ping" }),
    ],
  ])("%s", async (expected, misuse) => {
    await expect(misuse()).rejects.toThrow(new RegExp(`^${escaped(expected)}$`));
  });

  it.each<[expected: string, handler: Parameters<typeof defineTool>[0]["handler"]]>([
    [
      "Expected `items` to be iterable, got 7; report an Observable with `reportTo`",
      async (_args, ctx) => {
        for await (const _item of ctx.track(7 as never));
      },
    ],
    ['Expected the value of once key "k" to survive JSON, got 1n', (_args, ctx) => ctx.once("k", () => 1n as never)],
    ["Expected progress to be a finite number, got an object", (_args, ctx) => void ctx.progress({} as never)],
  ])("%s", async (expected, handler) => {
    const server = createMcpServer({ ...named, tools: [defineTool({ name: "t", description: "d", handler })] });
    server.diagnostics.subscribe();
    expect(await connect(server).callTool("t")).toMatchObject({ isError: true, content: [{ text: expected }] });
  });
});

it("what was given is told shortly and by its kind", () => {
  const given = ["x".repeat(1_000), 5n, Symbol("s"), null, undefined, -0.5, true, () => 1, [], {}];
  const told = [`"${"x".repeat(100)}…"`, "5n", "Symbol(s)", "null", "undefined", "-0.5", "true"];
  expect(given.map(describeGiven)).toEqual([...told, "a function", "an array", "an object"]);
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
