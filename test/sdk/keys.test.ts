import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { type Diagnostic, definePrompt, defineResource, defineTool } from "mcp-headway";
import { createMount, verifyRequestState, withToolContext } from "mcp-headway/sdk";
import { VirtualTimeScheduler } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { aeadCodec, newLedger, sealState } from "../../src/mrtr/index.ts";

const name = z.object({ name: z.string() });
const ask = defineTool({
  name: "ask",
  description: "Asks twice",
  handler: async (_args, ctx) => {
    const first = await ctx.elicit("Your name?", name, { key: "a" });
    const second = await ctx.elicit("Your other name?", name, { key: "b" });
    return `${first.content?.name} ${second.content?.name}`;
  },
});

/** An official client beside an official server, in one process. */
async function connect(server: McpServer) {
  const client = new Client({ name: "c", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { name: "Ann" } }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near as unknown as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  return client;
}

describe("without keys", () => {
  it("one key of the process serves all servers, and a diagnostic says once what that means", async () => {
    const mount = createMount({ tools: [ask] });
    const diagnostics: Diagnostic[] = [];
    mount.diagnostics.subscribe((diagnostic) => diagnostics.push(diagnostic));
    for (let index = 0; index < 2; index += 1) {
      const server = new McpServer(
        { name: "s", version: "1.0.0" },
        { requestState: { verify: mount.verifyRequestState() } },
      );
      mount.registerOn(server);
      const client = await connect(server);
      const { content } = await client.callTool({ name: "ask", arguments: {} });
      expect(content).toEqual([{ type: "text", text: "Ann Ann" }]);
    }
    expect(diagnostics.map(({ type }) => type)).toEqual(["random-key"]);
  });

  it("a wrapped handler that swallows what asking throws does not win over its question", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const server = new McpServer({ name: "s", version: "1.0.0" });
    const greet = withToolContext(
      async (ctx) => {
        const answer = await ctx.elicit("Your name?", name).catch(() => "swallowed");
        return { content: [{ type: "text", text: JSON.stringify(answer) }] };
      },
      { name: "t" },
    );
    server.registerTool("t", {}, greet);
    const client = await connect(server);
    const { content } = await client.callTool({ name: "t", arguments: {} });
    expect(content).toEqual([{ type: "text", text: JSON.stringify({ action: "accept", content: { name: "Ann" } }) }]);
    vi.restoreAllMocks();
  });
});

describe("a mount", () => {
  it("gives what the server registered, whose changes clients hear of", async () => {
    const resource = defineResource({ uriTemplate: "x://{id}", name: "x", read: (uri) => uri });
    const prompt = definePrompt({ name: "p", handler: () => "hello" });
    const mount = createMount({ tools: [ask], prompts: [prompt], resources: [resource] });
    const server = new McpServer({ name: "s", version: "1.0.0" });
    const { tools, prompts, resources } = mount.registerOn(server);
    expect([...tools.keys(), ...prompts.keys(), ...resources.keys()]).toEqual(["ask", "p", "x://{id}"]);
    const client = await connect(server);
    expect((await client.listTools()).tools).toHaveLength(1);
    const changed = new Promise((resolve) =>
      client.setNotificationHandler("notifications/tools/list_changed", resolve),
    );
    tools.get("ask")?.disable();
    await changed;
    expect((await client.listTools()).tools).toEqual([]);
  });

  it("is refused the second time on one server, by name", () => {
    const mount = createMount({ tools: [ask] });
    const server = new McpServer({ name: "s", version: "1.0.0" });
    mount.registerOn(server);
    expect(() => mount.registerOn(server)).toThrow(/ask is already registered/);
  });

  it("refuses what a server refuses", () => {
    expect(() => createMount({ tools: [ask, ask] })).toThrow(/"ask" twice/);
    expect(() => createMount({ tools: [{} as never] })).toThrow(/defineTool/);
    expect(() => createMount({}, { requestState: { keys: [] } })).toThrow(/at least one key/);
  });

  it("has a hook that refuses a time that is none, as the hook that stands alone does", () => {
    expect(() => verifyRequestState({ ttlMs: 0 })).toThrow("`requestState.ttlMs`");
    expect(() => createMount({}, { requestState: { ttlMs: 0 } })).toThrow("`requestState.ttlMs`");
    expect(verifyRequestState({ ttlMs: 1 })).toBeTypeOf("function");
  });

  it("has a hook that tells the time by the clock of the mount", async () => {
    const keys = [{ id: "k", secret: new Uint8Array(32).fill(7) }];
    const binding = { method: "tools/call", target: "ask", arguments: {}, principal: undefined };
    const sealing = { codec: aeadCodec(keys), binding, ttlMs: 50, now: () => 1_000 };
    const state = await sealState(newLedger(), sealing);
    const scheduler = new VirtualTimeScheduler();
    const verify = createMount({}, { requestState: { keys, ttlMs: 50 }, scheduler }).verifyRequestState();
    const ctx = { mcpReq: { method: "tools/call", signal: new AbortController().signal } } as ServerContext;
    scheduler.frame = 1_049;
    expect(await verify(state, ctx)).toBeUndefined();
    scheduler.frame = 1_050;
    await expect(verify(state, ctx)).rejects.toThrow("in time");
  });
});
