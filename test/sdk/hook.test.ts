import { createMcpHandler, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { type Diagnostic, defineTool } from "mcp-headway";
import {
  contextDiagnostics,
  createMount,
  type MountOptions,
  type VerifyRequestState,
  verifyRequestState,
  withToolContext,
} from "mcp-headway/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type Message, poster } from "./wire.ts";

const name = z.object({ name: z.string() });
const asking = (tool: string) =>
  defineTool({
    name: tool,
    description: "Asks once",
    handler: async (_args, ctx) => `${(await ctx.elicit("Your name?", name, { key: "a" })).content?.name} at ${tool}`,
  });
const keyed = (id: string, fill: number) => ({ keys: [{ id, secret: new Uint8Array(32).fill(fill) }] });
const inputResponses = { a: { action: "accept", content: { name: "Ann" } } };
const refused = { code: -32602, message: "Invalid or expired requestState" };
const last = (messages: readonly Message[]): Message => messages.at(-1) ?? {};
const textOf = (message: Message) => message.result?.content?.[0]?.text;

/** Serves one server per request, and calls it as one client or another. */
function serve(register: (server: McpServer) => void, verify: VerifyRequestState | undefined) {
  const options = verify === undefined ? {} : { requestState: { verify } };
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "host", version: "1.0.0" }, options);
    register(server);
    return server;
  });
  onTestFinished(() => handler.close());
  return (clientId?: string) => {
    const authInfo = clientId === undefined ? undefined : { clientId, token: "t", scopes: [] };
    const post = poster((init) =>
      handler.fetch(new Request("http://127.0.0.1/mcp", init), { ...(authInfo && { authInfo }) }),
    );
    return async (tool: string, params: object = {}) => last(await post("tools/call", tool, params));
  };
}

/** Asks, and answers with the state that came. */
async function through(call: (tool: string, params?: object) => Promise<Message>, tool: string): Promise<Message> {
  const { result } = await call(tool);
  return call(tool, { requestState: result?.requestState, inputResponses });
}

function told(mount: { readonly diagnostics: typeof contextDiagnostics }): Diagnostic["type"][] {
  const types: Diagnostic["type"][] = [];
  const subscription = mount.diagnostics.subscribe(({ type }) => types.push(type));
  onTestFinished(() => subscription.unsubscribe());
  return types;
}

describe("a state of another principal", () => {
  it.each<readonly [string, MountOptions]>([
    ["the client of the checked token", {}],
    ["what the host says", { principal: ({ http }: ServerContext) => ({ id: http?.authInfo?.clientId }) }],
  ])("is refused with -32602 by the hook, by %s", async (_title, options) => {
    const mount = createMount({ tools: [asking("t")] }, { requestState: keyed("k", 1), ...options });
    const as = serve((server) => mount.registerOn(server), mount.verifyRequestState());
    const { result } = await as("ann")("t");
    const retry = { requestState: result?.requestState, inputResponses };
    for (const other of ["bob", undefined]) expect((await as(other)("t", retry)).error).toMatchObject(refused);
    expect(textOf(await as("ann")("t", retry))).toBe("Ann at t");
  });
});

describe("one hook after the other", () => {
  it("serves two mounts with keys of their own, and refuses what neither sealed", async () => {
    const left = createMount({ tools: [asking("left")] }, { requestState: keyed("l", 1) });
    const right = createMount({ tools: [asking("right")] }, { requestState: keyed("r", 2) });
    const foreign = createMount({ tools: [asking("left")] }, { requestState: keyed("l", 3) });
    const register = (server: McpServer) => {
      for (const mount of [left, right]) mount.registerOn(server);
    };
    const call = serve(register, left.verifyRequestState(right.verifyRequestState()))();
    expect(textOf(await through(call, "left"))).toBe("Ann at left");
    expect(textOf(await through(call, "right"))).toBe("Ann at right");
    const elsewhere = serve((server) => foreign.registerOn(server), undefined)();
    const { result } = await elsewhere("left");
    expect((await call("left", { requestState: result?.requestState, inputResponses })).error).toMatchObject(refused);
  });

  it("of a mount takes what a wrapped handler without keys sealed", async () => {
    const mount = createMount({ tools: [asking("t")] }, { requestState: keyed("k", 1) });
    const register = (server: McpServer) => {
      mount.registerOn(server);
      const greet = withToolContext(
        async (ctx) => {
          const { content } = await ctx.elicit("Your name?", name, { key: "a" });
          return { content: [{ type: "text", text: `${content?.name} wrapped` }] };
        },
        { name: "wrapped" },
      );
      server.registerTool("wrapped", {}, greet);
    };
    const types = told({ diagnostics: contextDiagnostics });
    const call = serve(register, mount.verifyRequestState())();
    expect(textOf(await through(call, "wrapped"))).toBe("Ann wrapped");
    expect(textOf(await through(call, "wrapped"))).toBe("Ann wrapped");
    // Each of the four requests wrapped the handler anew, and a developer is told once.
    expect(types).toEqual(["random-key"]);
  });
});

describe("a forgotten hook", () => {
  const mounted = () => createMount({ tools: [asking("t")] }, { requestState: keyed("k", 1) });

  it("is a diagnostic that names it, once, when a client comes back with a state", async () => {
    const mount = mounted();
    const types = told(mount);
    const call = serve((server) => mount.registerOn(server), undefined)();
    expect(textOf(await call("t"))).toBeUndefined();
    expect(types).toEqual([]);
    expect(textOf(await through(call, "t"))).toBe("Ann at t");
    expect(textOf(await through(call, "t"))).toBe("Ann at t");
    expect(types).toEqual(["unverified-state"]);
  });

  it("is none where one is called, be it from a hook of the host's own that gives a value", async () => {
    const mount = mounted();
    const types = told(mount);
    const verify = mount.verifyRequestState();
    const own: VerifyRequestState = async (state, ctx) => (await verify(state, ctx)) ?? state;
    const call = serve((server) => mount.registerOn(server), own)();
    expect(textOf(await through(call, "t"))).toBe("Ann at t");
    expect(types).toEqual([]);
  });
});

it("the hook that stands alone tells callers as it is told", async () => {
  const principal = ({ http }: ServerContext) => http?.authInfo?.clientId?.toUpperCase();
  const mount = createMount({ tools: [asking("t")] }, { requestState: keyed("k", 1), principal });
  const as = serve((server) => mount.registerOn(server), verifyRequestState({ ...keyed("k", 1), principal }));
  expect(textOf(await through(as("ann"), "t"))).toBe("Ann at t");
});

it("a `principal` that throws tells the client nothing", async () => {
  const principal = (): never => {
    throw new Error("secret");
  };
  const mount = createMount({ tools: [asking("mounted")] }, { principal });
  const [types, wrapped] = [told(mount), told({ diagnostics: contextDiagnostics })];
  const call = serve((server) => {
    mount.registerOn(server);
    server.registerTool(
      "wrapped",
      {},
      withToolContext(() => ({ content: [] }), { principal }),
    );
  }, undefined)();
  for (const tool of ["mounted", "wrapped"]) {
    expect((await call(tool)).result).toMatchObject({ isError: true, content: [{ text: "Internal error" }] });
  }
  expect([types, wrapped]).toEqual([["handler-failed"], ["handler-failed"]]);
});
