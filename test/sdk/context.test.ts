import {
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type ToolCallback,
  type Variables,
} from "@modelcontextprotocol/server";
import type { McpToolContext } from "mcp-headway";
import {
  type PromptReturn,
  type SdkPromptContext,
  type SdkResourceContext,
  type SdkToolContext,
  type ToolReturn,
  withPromptContext,
  withResourceContext,
  withToolContext,
} from "mcp-headway/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { type Peer, wholePeers } from "./peers.ts";

describe.each(wholePeers)("one handler of the SDK with a tool context, over %s", (_title, connect) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await connect();
  });
  beforeEach(() => {
    peer.updates.length = 0;
    peer.asked.length = 0;
  });
  afterAll(() => peer.close());

  it("reports, asks, and keeps the SDK's context; other tools stay as they were", async () => {
    const { client, updates, asked } = peer;
    const onprogress = () => undefined;
    const result = await client.callTool({ name: "wrapped", arguments: { to: 3 } }, { onprogress });
    expect(result.content).toEqual([{ type: "text", text: "red tools/call wrapped" }]);
    expect(updates).toMatchObject([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
    expect(asked).toEqual(["Which colour?"]);
  });

  it("is called with the context alone without inputSchema, returns as before, and needs a name to ask", async () => {
    const { client, updates } = peer;
    const onprogress = () => undefined;
    const result = await client.callTool({ name: "bare", arguments: {} }, { onprogress });
    expect(result.content).toEqual([{ type: "text", text: expect.stringMatching(/^Expected .*`name`/) }]);
    expect(result._meta).toMatchObject({ mine: true });
    expect(updates).toMatchObject([{ progress: 1, total: 1 }]);
  });
});

describe.each(wholePeers)("prompts and resources of the SDK with a context, over %s", (_title, connect) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await connect();
  });
  beforeEach(() => {
    peer.updates.length = 0;
    peer.asked.length = 0;
  });
  afterAll(() => peer.close());
  const listening = { onprogress: () => undefined };
  const both = [
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ];

  it("report and ask in a prompt, whose result goes out as it is", async () => {
    const { client, updates, asked } = peer;
    const result = await client.getPrompt({ name: "letter", arguments: { tone: "warm" } }, listening);
    expect(result.messages).toMatchObject([{ content: { text: "warm: Ann, prompts/get" } }]);
    expect(result._meta).toMatchObject({ mine: true });
    expect(updates).toMatchObject(both);
    expect(asked).toEqual(["Whom?"]);
  });

  it.each([
    ["shelf://all", "all"],
    ["shelf://boards/7", "7"],
  ])("report and ask in %s, without a name", async (uri, what) => {
    const { client, updates, asked } = peer;
    const { contents } = await client.readResource({ uri }, listening);
    expect(contents).toEqual([{ uri, text: `${what}: red, resources/read` }]);
    expect(updates).toMatchObject(both);
    expect(asked).toEqual(["Which colour?"]);
  });
});

describe("the types of a wrapped handler", () => {
  const server = new McpServer({ name: "s", version: "1.0.0" });
  const text = (value: string): ToolReturn => ({ content: [{ type: "text", text: value }] });

  it("infer its arguments from the schema of the tool", () => {
    server.registerTool(
      "a",
      { inputSchema: z.object({ rows: z.number() }) },
      withToolContext(async ({ rows }, ctx) => {
        expectTypeOf(rows).toEqualTypeOf<number>();
        expectTypeOf(ctx).toExtend<McpToolContext>();
        expectTypeOf(ctx.sdk).toEqualTypeOf<ServerContext>();
        return text(String(rows));
      }),
    );
  });

  it("give a tool without a schema the context alone", () => {
    server.registerTool(
      "b",
      {},
      withToolContext((ctx) => {
        expectTypeOf(ctx).toEqualTypeOf<SdkToolContext>();
        return text(ctx.handlerName);
      }),
    );
  });

  it("are given away from `registerTool`", () => {
    const callback = withToolContext(async ({ rows }: { rows: number }, ctx: SdkToolContext) => {
      expectTypeOf(ctx).toEqualTypeOf<SdkToolContext>();
      return text(String(rows));
    });
    expectTypeOf(callback).toEqualTypeOf<(args: { rows: number }, ctx: ServerContext) => Promise<ToolReturn>>();
    server.registerTool("c", { inputSchema: z.object({ rows: z.number() }) }, callback);
  });

  it("infer the arguments of prompts and resources", () => {
    const message = (value: string): PromptReturn => ({
      messages: [{ role: "user", content: { type: "text", text: value } }],
    });
    server.registerPrompt(
      "p",
      { argsSchema: z.object({ tone: z.string() }) },
      withPromptContext(async ({ tone }, ctx) => {
        expectTypeOf(tone).toEqualTypeOf<string>();
        expectTypeOf(ctx).toEqualTypeOf<SdkPromptContext>();
        return message(tone);
      }),
    );
    server.registerPrompt(
      "q",
      {},
      withPromptContext((ctx) => {
        expectTypeOf(ctx).toEqualTypeOf<SdkPromptContext>();
        return message(ctx.handlerName);
      }),
    );
    server.registerResource(
      "r",
      "memo://r",
      {},
      withResourceContext((uri, ctx) => {
        expectTypeOf(uri).toEqualTypeOf<URL>();
        expectTypeOf(ctx).toEqualTypeOf<SdkResourceContext>();
        return { contents: [] };
      }),
    );
    server.registerResource(
      "t",
      new ResourceTemplate("memo://{id}", { list: undefined }),
      {},
      withResourceContext((_uri, variables, ctx) => {
        expectTypeOf(variables).toEqualTypeOf<Variables>();
        expectTypeOf(ctx.sdk).toEqualTypeOf<ServerContext>();
        return { contents: [] };
      }),
    );
    // @ts-expect-error a resource is known by its URI
    withResourceContext(() => ({ contents: [] }), { name: "r" });
  });

  it("refuse a handler of other arguments, and one that returns something else", () => {
    const rows = withToolContext(async ({ rows }: { rows: string }, _ctx: SdkToolContext) => text(rows));
    expectTypeOf(rows).not.toExtend<ToolCallback<z.ZodObject<{ rows: z.ZodNumber }>>>();
    expectTypeOf(rows).toExtend<ToolCallback<z.ZodObject<{ rows: z.ZodString }>>>();
    // @ts-expect-error a result has content
    withToolContext(async (_args: object, _ctx: SdkToolContext) => 5);
  });
});
