import { Client } from "@modelcontextprotocol/client";
import { createMcpHandler, InMemoryTransport, McpServer, ProtocolError } from "@modelcontextprotocol/server";
import { McpError } from "mcp-headway";
import {
  contextDiagnostics,
  type PromptReturn,
  type SdkPromptContext,
  withPromptContext,
  withResourceContext,
  withToolContext,
} from "mcp-headway/sdk";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type Message, poster } from "./wire.ts";

const name = z.object({ name: z.string() });
const inputSchema = z.object({ a: z.string().optional() });

/** Serves one server per request, and gives the last message of each answer. */
function serve(register: (server: McpServer) => void) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "host", version: "1.0.0" });
    register(server);
    return server;
  });
  onTestFinished(() => handler.close());
  const post = poster((init) => handler.fetch(new Request("http://127.0.0.1/mcp", init)));
  return async (method: string, target: string, params: object = {}): Promise<Message> =>
    (await post(method, target, params)).at(-1) ?? {};
}

// What developers are told is no business of these tests.
const silent = contextDiagnostics.subscribe(() => undefined);
afterAll(() => silent.unsubscribe());

const textOf = ({ result }: Message) => result?.content?.[0]?.text;

describe("what a wrapped handler throws", () => {
  const errors: readonly (readonly [string, () => Error])[] = [
    ["an error", () => new Error("no luck")],
    ["an error with a code", () => Object.assign(new Error("no file"), { code: "ENOENT" })],
    ["a ProtocolError", () => new ProtocolError(-32_602, "no row", { row: 5 })],
    ["an internal ProtocolError", () => new ProtocolError(-32_603, "no disk", { disk: 1 })],
    ["an McpError", () => new McpError(-32_000, "no paper", { tray: 2 })],
  ];

  it.each(errors)("reaches the client as it did before: %s", async (_title, make) => {
    const fail = (): never => {
      throw make();
    };
    const call = serve((server) => {
      server.registerTool("before", { inputSchema }, fail);
      server.registerTool("after", { inputSchema }, withToolContext(fail));
      server.registerPrompt("before", {}, fail);
      server.registerPrompt("after", {}, withPromptContext(fail));
      server.registerResource("before", "x://before", {}, fail);
      server.registerResource("after", "x://after", {}, withResourceContext(fail));
    });
    for (const [method, prefix] of [
      ["tools/call", ""],
      ["prompts/get", ""],
      ["resources/read", "x://"],
    ] as const) {
      const [before, after] = [await call(method, `${prefix}before`), await call(method, `${prefix}after`)];
      expect(before.error ?? before.result?.isError).toBeTruthy();
      expect(after).toEqual(before);
    }
  });

  it("is hidden with `maskErrors`, but for what the SDK knows", async () => {
    const options = { maskErrors: true };
    const call = serve((server) => {
      const fail = () => Promise.reject(new Error("secret"));
      server.registerTool("tool", {}, withToolContext(fail, options));
      server.registerPrompt("prompt", {}, withPromptContext(fail, options));
      const known = () => Promise.reject(new ProtocolError(-32_603, "told"));
      server.registerPrompt("known", {}, withPromptContext(known, options));
    });
    for (const [method, target] of [
      ["tools/call", "tool"],
      ["prompts/get", "prompt"],
    ] as const) {
      const answer = await call(method, target);
      expect(answer.error ?? answer.result?.isError).toBeTruthy();
      expect(JSON.stringify(answer)).not.toContain("secret");
    }
    expect((await call("prompts/get", "known")).error?.message).toBe("told");
  });

  it("keeps its code when a client cannot be asked", async () => {
    const call = serve((server) => {
      const prompt = withPromptContext(
        async (ctx) => {
          await ctx.requestInput({ method: "roots/list" });
          return { messages: [] };
        },
        { name: "p" },
      );
      server.registerPrompt("p", {}, prompt);
    });
    const missing = { code: -32_021, data: { requiredCapabilities: { roots: {} } } };
    expect((await call("prompts/get", "p")).error).toMatchObject(missing);
  });

  it("does not win over a question that is open", async () => {
    const call = serve((server) => {
      const swallow = withToolContext(
        async (ctx) => {
          await ctx.elicit("Your name?", name).catch(() => undefined);
          throw new ProtocolError(-32_602, "swallowed");
        },
        { name: "t" },
      );
      server.registerTool("t", {}, swallow);
    });
    expect((await call("tools/call", "t")).result?.inputRequests).toBeDefined();
  });
});

it("a wrapped handler that returns nothing fails as it did before", async () => {
  const nothing = (): never => undefined as never;
  const call = serve((server) => {
    server.registerPrompt("before", {}, nothing);
    server.registerPrompt("after", {}, withPromptContext(nothing));
  });
  const before = await call("prompts/get", "before");
  expect(before.error).toBeDefined();
  expect(await call("prompts/get", "after")).toEqual(before);
});

describe("what a wrapped handler asked", () => {
  const inputResponses = { k: { action: "accept", content: { name: "Ann" } } };

  it.each([
    ["tools/call", "t"],
    ["prompts/get", "t"],
  ])("counts for the arguments of its call only, by %s", async (method, target) => {
    const call = serve((server) => {
      server.registerTool(
        "t",
        { inputSchema },
        withToolContext(
          async ({ a }, ctx) => {
            const { content } = await ctx.elicit("Your name?", name, { key: "k" });
            return { content: [{ type: "text", text: `${a} ${content?.name}` }] };
          },
          { name: "t" },
        ),
      );
      server.registerPrompt(
        "t",
        { argsSchema: inputSchema },
        withPromptContext(
          async ({ a }, ctx) => {
            const { content } = await ctx.elicit("Your name?", name, { key: "k" });
            return { messages: [{ role: "user", content: { type: "text", text: `${a} ${content?.name}` } }] };
          },
          { name: "t" },
        ),
      );
    });
    const { result } = await call(method, target, { arguments: { a: "one" } });
    const retry = { requestState: result?.requestState, inputResponses };
    const other = await call(method, target, { ...retry, arguments: { a: "two" } });
    expect(other.error?.message ?? textOf(other)).toMatch(/requestState/);
    expect(JSON.stringify(await call(method, target, { ...retry, arguments: { a: "one" } }))).toContain("one Ann");
  });

  it("needs arguments with a JSON form, which a handler that does not ask can do without", async () => {
    const argsSchema = z.object({ count: z.string().transform(BigInt) });
    const call = serve((server) => {
      for (const asks of [false, true]) {
        const prompt = async ({ count }: z.output<typeof argsSchema>, ctx: SdkPromptContext): Promise<PromptReturn> => {
          if (asks) await ctx.elicit("Your name?", name);
          return { messages: [{ role: "user", content: { type: "text", text: `${count + 1n}` } }] };
        };
        server.registerPrompt(`${asks}`, { argsSchema }, withPromptContext(prompt, { name: `${asks}` }));
      }
    });
    const given = { arguments: { count: "41" } };
    expect(JSON.stringify(await call("prompts/get", "false", given))).toContain("42");
    expect((await call("prompts/get", "true", given)).error?.message).toMatch(/arguments to have a JSON form/);
  });

  it("is refused without a name in a prompt, and needs none in a resource", async () => {
    const call = serve((server) => {
      const prompt = withPromptContext(async (ctx) => {
        await ctx.elicit("Your name?", name);
        return { messages: [] };
      });
      server.registerPrompt("p", {}, prompt);
      const resource = withResourceContext(async (_uri: URL, ctx) => {
        await ctx.elicit("Your name?", name);
        return { contents: [] };
      });
      server.registerResource("r", "x://r", {}, resource);
    });
    expect((await call("prompts/get", "p")).error?.message).toMatch(/`withPromptContext`.*`name`/);
    expect((await call("resources/read", "x://r")).result?.inputRequests).toBeDefined();
  });
});

describe("a client of 2025", () => {
  it.each([true, false])("is known to a wrapped handler that is given its server: %s", async (isGiven) => {
    const server = new McpServer({ name: "host", version: "1.0.0" });
    const tool = withToolContext(
      async (ctx) => {
        const caught = await ctx.elicit("Your name?", name).catch((error: Error) => error.name);
        const { info, capabilities } = ctx.client;
        return { content: [], structuredContent: { name: info?.name, capabilities, caught } };
      },
      { name: "t", ...(isGiven && { server }) },
    );
    server.registerTool("t", {}, tool);
    const client = new Client({ name: "old", version: "1.0.0" }, { capabilities: {} });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near as unknown as Parameters<Client["connect"]>[0]);
    onTestFinished(() => client.close());
    const { structuredContent, content } = await client.callTool({ name: "t", arguments: {} });
    if (isGiven) {
      expect(structuredContent).toEqual({ name: "old", capabilities: {}, caught: "MissingCapabilityError" });
    } else {
      // The SDK refuses to ask, in its own words.
      expect(content).toMatchObject([{ text: expect.stringMatching(/capability/) }]);
    }
  });
});
