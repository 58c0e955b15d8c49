import { randomBytes } from "node:crypto";
import {
  type CallToolResult,
  Client,
  type GetPromptResult,
  type ReadResourceResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, type GetPromptResult as FirstPromptResult } from "@modelcontextprotocol/sdk/types.js";
import { createMcpServer, definePrompt, defineResource, defineTool, type McpToolContext } from "mcp-headway";
import { type ObservedEvent, observeProgress, progressState } from "mcp-headway/client";
import { serveHttp } from "mcp-headway/http";
import { firstValueFrom, lastValueFrom, type Observable, Subject, toArray } from "rxjs";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { z } from "zod";

const info = { name: "official", version: "1.0.0" };
const capabilities = { elicitation: {} };
const answer = { action: "accept" as const, content: { name: "Ann" } };
const all = <T>(events: Observable<T>): Promise<T[]> => lastValueFrom(events.pipe(toArray()));

/** Reports and asks once. */
async function askOnce(ctx: Pick<McpToolContext, "progress" | "elicit">): Promise<string> {
  ctx.progress(0.25, 1, "begun");
  const { content } = await ctx.elicit("Your name?", z.object({ name: z.string() }));
  ctx.progress(0.75, 1);
  return `Hello ${content?.name}`;
}

/** A tool that reports, asks twice in turn, and reports on; one that never ends; and a prompt and a resource. */
async function serve() {
  const left = new Subject<unknown>();
  const greet = defineTool({
    name: "greet",
    description: "Asks on its way",
    handler: async (_args, ctx) => {
      ctx.progress(0.25, 1, "begun");
      await ctx.elicit("Your name?", z.object({ name: z.string() }), { key: "a" });
      ctx.progress(0.5, 1);
      await ctx.elicit("And again?", z.object({ name: z.string() }), { key: "b" });
      ctx.progress(3, undefined, "Fulfilling input required by 'greet' (round 3)");
      return "Hello";
    },
  });
  const hold = defineTool({
    name: "hold",
    description: "Never ends",
    handler: (_args, ctx) => {
      ctx.progress(1);
      ctx.signal.addEventListener("abort", () => left.next(ctx.signal.reason));
      return new Promise(() => undefined);
    },
  });
  const prompt = definePrompt({ name: "p", handler: (_args, ctx) => askOnce(ctx) });
  const resource = defineResource({ uri: "r:1", name: "r", read: (_uri, _variables, ctx) => askOnce(ctx) });
  const definitions = { tools: [greet, hold], prompts: [prompt], resources: [resource] };
  const keys = [{ id: "1", secret: randomBytes(32) }];
  const server = createMcpServer({ name: "s", version: "1", ...definitions }, { requestState: { keys } });
  const handle = await serveHttp(server, { closeGraceMs: 20 });
  onTestFinished(() => handle.close());
  return { url: new URL(handle.url), left };
}

async function second(url: URL, mode: "legacy" | { readonly pin: string }) {
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", async () => answer);
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());
  return {
    tool: (name: string) => observeProgress((options) => client.callTool({ name, arguments: {} }, options)),
    prompt: () => observeProgress((options) => client.getPrompt({ name: "p" }, options)),
    resource: () => observeProgress((options) => client.readResource({ uri: "r:1" }, options)),
    client,
  };
}

async function first(url: URL) {
  const client = new FirstClient(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, async () => answer);
  await client.connect(new FirstTransport(url) as Parameters<FirstClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return {
    tool: (name: string) => observeProgress((options) => client.callTool({ name, arguments: {} }, undefined, options)),
    prompt: () => observeProgress((options) => client.getPrompt({ name: "p" }, options)),
    resource: () => observeProgress((options) => client.readResource({ uri: "r:1" }, options)),
    client,
  };
}

describe.each([
  ["2.x in the modern era", (url: URL) => second(url, { pin: "2026-07-28" })],
  ["2.x in the legacy era", (url: URL) => second(url, "legacy")],
  ["1.x", first],
])("a call of the official client %s", (_title, connect) => {
  it("is observed with every update of the server, and with none that the client made up", async () => {
    const { tool } = await connect((await serve()).url);
    expect(await all<unknown>(tool("greet"))).toEqual([
      { type: "progress", progress: 0.25, total: 1, message: "begun" },
      { type: "progress", progress: 0.5, total: 1 },
      { type: "progress", progress: 3, message: "Fulfilling input required by 'greet' (round 3)" },
      { type: "result", result: expect.objectContaining({ content: [{ type: "text", text: "Hello" }] }) },
    ]);
  });

  it.each(["prompt", "resource"] as const)("may be of a %s", async (kind) => {
    const client = await connect((await serve()).url);
    const events = await all<ObservedEvent<object>>(client[kind]());
    expect(events).toEqual([
      { type: "progress", progress: 0.25, total: 1, message: "begun" },
      { type: "progress", progress: 0.75, total: 1 },
      { type: "result", result: expect.anything() },
    ]);
    expect(JSON.stringify(events.at(-1))).toContain("Hello Ann");
  });

  it("is cancelled by unsubscribing", async () => {
    const { url, left } = await serve();
    const { tool } = await connect(url);
    const reason = firstValueFrom(left);
    expect(await firstValueFrom<unknown>(tool("hold"))).toEqual({ type: "progress", progress: 1 });
    expect(await reason).toBeInstanceOf(Error);
  });

  it("becomes the state of a display", async () => {
    const { tool } = await connect((await serve()).url);
    const events: Observable<ObservedEvent<unknown>> = tool("greet");
    const states = await all(events.pipe(progressState({ clock: { now: () => 0 } })));
    expect(states.map(({ state, fraction }) => [state, fraction])).toEqual([
      ["waiting", undefined],
      ["running", 0.25],
      ["running", 0.5],
      ["running", undefined],
      ["ended", undefined],
    ]);
  });

  it("errors as the call rejects", async () => {
    const { tool } = await connect((await serve()).url);
    await expect(all<unknown>(tool("nothing"))).rejects.toMatchObject({ code: -32602 });
  });
});

it("would show what the modern client makes up, were it not left out", async () => {
  const { client } = await second((await serve()).url, { pin: "2026-07-28" });
  const seen: unknown[] = [];
  await client.callTool({ name: "greet", arguments: {} }, { onprogress: (update) => seen.push(update) });
  expect(seen).toContainEqual({ progress: 1, message: "Fulfilling input required by 'tools/call' (round 1)" });
  expect(seen).toContainEqual({ progress: 2, message: "Fulfilling input required by 'tools/call' (round 2)" });
});

it("knows the result of each kind of call", () => {
  type Second = Awaited<ReturnType<typeof second>>;
  expectTypeOf<Second["tool"]>().returns.toEqualTypeOf<Observable<ObservedEvent<CallToolResult>>>();
  expectTypeOf<Second["prompt"]>().returns.toEqualTypeOf<Observable<ObservedEvent<GetPromptResult>>>();
  expectTypeOf<Second["resource"]>().returns.toEqualTypeOf<Observable<ObservedEvent<ReadResourceResult>>>();
  type First = Awaited<ReturnType<typeof first>>;
  expectTypeOf<First["prompt"]>().returns.toEqualTypeOf<Observable<ObservedEvent<FirstPromptResult>>>();
});
