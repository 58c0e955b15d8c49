import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createMcpHandler,
  InMemoryTransport,
  isLegacyRequest,
  McpServer,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { definePrompt, defineResource, defineTool, type McpToolContext, MissingCapabilityError } from "mcp-headway";
import { createMount, withToolContext } from "mcp-headway/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

const colour = z.object({ colour: z.string() });
const form = { elicitation: { form: {} } };

async function ask(ctx: Pick<McpToolContext, "elicit">): Promise<string> {
  const { content } = await ctx.elicit("Which colour?", colour);
  return `${content?.colour}`;
}

const requestState = { keys: [{ id: "2026-12", secret: new Uint8Array(32) }] };
const definitions = {
  tools: [
    defineTool({ name: "ask", description: "Asks", handler: (_args, ctx) => ask(ctx) }),
    defineTool({ name: "need", description: "Asks", requires: form, handler: (_args, ctx) => ask(ctx) }),
    defineTool({
      name: "catch",
      description: "Goes on without an answer",
      handler: (_args, ctx) =>
        ask(ctx).catch((error) => {
          if (error instanceof MissingCapabilityError) return { caught: error.message };
          throw error;
        }),
    }),
    defineTool({
      name: "capabilities",
      description: "Tells them",
      handler: (_args, { client }) => client.capabilities,
    }),
  ],
  prompts: [definePrompt({ name: "ask", handler: (_args, ctx) => ask(ctx) })],
  resources: [defineResource({ uri: "memo://ask", name: "ask", read: (_uri, _variables, ctx) => ask(ctx) })],
};
const mount = createMount(definitions, { requestState });

function createServer(): McpServer {
  const verify = mount.verifyRequestState();
  const server = new McpServer({ name: "host", version: "1.0.0" }, { requestState: { verify } });
  mount.registerOn(server);
  for (const options of [{ name: "wrapped" }, { name: "given", server }]) {
    const handler = withToolContext(async (ctx) => ({ content: [{ type: "text", text: await ask(ctx) }] }), {
      ...options,
      requestState,
    });
    server.registerTool(options.name, {}, handler);
  }
  return server;
}

type Serve = (request: Request) => Promise<Response>;
type Mode = "legacy" | { readonly pin: string };

const join = (serve: Serve, mode: Mode, capabilities?: object) => {
  const fetch = (url: string | URL, init?: RequestInit) => serve(new Request(url, init));
  return connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }), mode, capabilities);
};

async function connect(transport: Parameters<Client["connect"]>[0], mode: Mode, capabilities: object = form) {
  const client = new Client({ name: "old", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  if (capabilities === form) {
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { colour: "red" } }));
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  const outcome = async (name: string) => {
    const { content, structuredContent } = await client.callTool({ name, arguments: {} });
    return structuredContent ?? (content as readonly { readonly text?: string }[])[0]?.text;
  };
  return { client, outcome };
}

const stateless: Serve = (request) => createMcpHandler(createServer).fetch(request);

/** What the error tells a host to do. */
function withSessions(): Serve {
  const modern = createMcpHandler(createServer, { legacy: "reject" });
  const sessions = new Map<string | null, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    if (!(await isLegacyRequest(request))) return modern.fetch(request);
    const session = sessions.get(request.headers.get("mcp-session-id"));
    if (session !== undefined) return session.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createServer().connect(transport);
    return transport.handleRequest(request);
  };
}

const names = ["ask", "need", "wrapped", "given"];
const noSession =
  /^The client cannot be asked: this server keeps no sessions for clients of 2025.*`sessionIdGenerator`/;

describe("a client of 2025 that is served without a session", () => {
  it.each(names)("cannot be asked, and the error of the tool %s says why", async (name) => {
    expect(await (await join(stateless, "legacy")).outcome(name)).toMatch(noSession);
  });

  it("is told so by prompts and resources as well", async () => {
    const { client } = await join(stateless, "legacy");
    const refused = { code: -32_021, message: expect.stringMatching(noSession) };
    await expect(client.getPrompt({ name: "ask" })).rejects.toMatchObject(refused);
    await expect(client.readResource({ uri: "memo://ask" })).rejects.toMatchObject(refused);
  });

  it("can be asked nothing as far as a handler knows, which may go on without", async () => {
    const { outcome } = await join(stateless, "legacy");
    expect(await outcome("capabilities")).toEqual({});
    expect(await outcome("catch")).toEqual({ caught: expect.stringMatching(noSession) });
  });
});

describe("a client that lacks a capability is told so where it could be asked:", () => {
  it.each<[string, () => Serve, Mode]>([
    ["with a session", withSessions, "legacy"],
    ["in the revision 2026-07-28", () => stateless, { pin: "2026-07-28" }],
  ])("%s", async (_, serve, mode) => {
    const { outcome } = await join(serve(), mode, {});
    const said = await outcome("given").catch(String);
    expect(said).toMatch(/The client does not support what this needs: {"elicitation":{"form":{}}}/);
  });
});

it.each<[string, Mode]>([
  ["2025", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
])("a host that does what the error says asks clients of %s", async (_, mode) => {
  const { outcome } = await join(withSessions(), mode);
  for (const name of names) expect(await outcome(name)).toBe("red");
});

it("a client of 2025 that has shaken hands with this server is asked over a transport of HTTP without sessions", async () => {
  const [near, far]: readonly [Transport, Transport] = InMemoryTransport.createLinkedPair();
  await createServer().connect(far);
  const { onmessage } = far;
  far.onmessage = (message) => onmessage?.(message, { request: new Request("http://127.0.0.1/mcp") });
  const { outcome } = await connect(near, "legacy");
  for (const name of ["ask", "given"]) expect(await outcome(name)).toBe("red");
  // Nobody told this one its server.
  expect(await outcome("wrapped")).toMatch(noSession);
});
