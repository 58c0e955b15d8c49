import { once } from "node:events";
import { createMcpServer, defineTool } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { serveWebSocket } from "mcp-headway/websocket";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { callOf } from "./peer.ts";

const whoami = defineTool({ name: "whoami", description: "d", handler: (_, ctx) => ({ principal: ctx.principal }) });
const ask = defineTool({
  name: "ask",
  description: "d",
  handler: async (_, ctx) => ctx.elicit("Name?", z.object({ name: z.string() })),
});
const create = () => createMcpServer({ name: "s", version: "1.0.0", tools: [whoami, ask] });

/** Users by their token; `broken` is a directory that does not answer. */
async function authenticate({ headers }: { headers: { authorization?: string | undefined } }) {
  if (headers.authorization === "Bearer broken") throw new Error("The directory is down");
  const name = headers.authorization?.replace("Bearer ", "");
  return name === undefined || name === "nobody" ? undefined : { name };
}

interface Answered {
  readonly result: {
    readonly structuredContent: unknown;
    readonly inputRequests: object;
    readonly requestState: string;
  };
  readonly error: { readonly code: number };
}

const read = (response: Response) => response.json() as Promise<Answered>;

async function overHttp(challenge?: string) {
  const server = create();
  const told: unknown[] = [];
  server.diagnostics.subscribe(({ type, cause }) => told.push([type, String(cause)]));
  const { url, close } = await serveHttp(server, { authenticate, challenge });
  onTestFinished(() => close());
  const post = (token: string | undefined, name: string, more: object = {}) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    return fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta, name, ...more } }),
    });
  };
  return { url, post, told };
}

describe("authenticate on HTTP", () => {
  it("yields the principal that handlers read", async () => {
    const { post } = await overHttp();
    const { result } = await read(await post("ada", "whoami"));
    expect(result.structuredContent).toEqual({ principal: { name: "ada" } });
  });

  it.each([
    ["without a token", undefined],
    ["with one of nobody's", "nobody"],
  ])("refuses a request %s with 401 and a challenge, before its body is looked at", async (_, token) => {
    const { post, url } = await overHttp('Bearer realm="mcp"');
    const refused = await post(token, "whoami");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="mcp"']);
    expect(await refused.json()).not.toHaveProperty("id");
    expect((await fetch(url, { method: "POST", body: "no JSON" })).status).toBe(401);
    expect((await fetch(url, { method: "DELETE", headers: { "mcp-session-id": "x" } })).status).toBe(401);
    // The control: another is let in.
    expect((await post("ada", "whoami")).status).toBe(200);
  });

  it("that throws ends the request with 500, and tells diagnostics only", async () => {
    const { post, told } = await overHttp();
    const failed = await post("broken", "whoami");
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining("directory")]);
    expect(told).toEqual([["connection-failed", "Error: The directory is down"]]);
  });

  it.each([
    ["a Map", new Map([["sub", "ada"]])],
    ["a symbol", Symbol("ada")],
    ["NaN", { id: Number.NaN }],
    ["a bigint", 1n],
  ])("refuses with 500 a principal that JSON cannot tell from others: %s", async (_, principal) => {
    const server = create();
    const told: unknown[] = [];
    server.diagnostics.subscribe(({ type, message }) => told.push([type, message]));
    const { url, close } = await serveHttp(server, { authenticate: () => principal });
    onTestFinished(() => close());
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(500);
    expect(told).toEqual([["connection-failed", "`authenticate` failed; the request was refused with 500"]]);
  });

  it("that says false refuses, too", async () => {
    const { url, close } = await serveHttp(create(), { authenticate: () => false });
    onTestFinished(() => close());
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  });

  it("counts who waits for it against maxInFlight", async () => {
    const asked: (() => void)[] = [];
    const later = () => new Promise<undefined>((resolve) => asked.push(() => resolve(undefined)));
    const { url, close } = await serveHttp(create(), { maxInFlight: 2, authenticate: later });
    onTestFinished(() => close());
    const waiting = [1, 2].map(() => fetch(url, { method: "POST", body: "{}" }));
    while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(503);
    for (const answer of asked) answer();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 401]);
  });

  it("binds the state of a question to the principal", async () => {
    const { post } = await overHttp();
    const { result } = await read(await post("ada", "ask"));
    const [key = ""] = Object.keys(result.inputRequests);
    const answer = {
      requestState: result.requestState,
      inputResponses: { [key]: { action: "accept", content: { name: "Ada" } } },
    };
    const own = await read(await post("ada", "ask", answer));
    expect(own.result.structuredContent).toEqual({ action: "accept", content: { name: "Ada" } });
    const foreign = await read(await post("grace", "ask", answer));
    expect(foreign.error.code).toBe(-32602);
  });

  it("binds a session of the 2025 era to the principal that began it", async () => {
    const { url } = await overHttp();
    const send = (token: string, body: object, session?: string) =>
      fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${token}`,
          ...(session !== undefined && { "mcp-session-id": session }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
      });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
    const begun = await send("ada", { method: "initialize", params });
    const session = begun.headers.get("mcp-session-id") ?? expect.unreachable();
    expect((await send("ada", { method: "ping" }, session)).status).toBe(200);
    expect((await send("grace", { method: "ping" }, session)).status).toBe(404);
  });
});

describe("authenticate on WebSocket", () => {
  async function open(token?: string) {
    const server = create();
    server.diagnostics.subscribe(() => undefined);
    const { url, close } = await serveWebSocket(server, { authenticate });
    onTestFinished(() => close());
    const socket = new WebSocket(url, "mcp", { headers: token ? { authorization: `Bearer ${token}` } : {} });
    onTestFinished(() => socket.terminate());
    return socket;
  }

  it("yields the principal of the connection", async () => {
    const socket = await open("ada");
    await once(socket, "open");
    socket.send(JSON.stringify(callOf(1, "whoami", {}, undefined)));
    const [data] = await once(socket, "message");
    expect(JSON.parse(String(data)).result.structuredContent).toEqual({ principal: { name: "ada" } });
  });

  it.each([
    [undefined, 401],
    ["nobody", 401],
    ["broken", 500],
  ])("refuses the upgrade of %s with %i", async (token, status) => {
    const socket = await open(token);
    socket.on("error", () => undefined);
    const [, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(status);
    if (status === 401) expect(response.headers["www-authenticate"]).toBe("Bearer");
  });
});

it("options that make no sense are refused at once", async () => {
  await expect(serveHttp(create(), { challenge: "a\r\nb" })).rejects.toThrow(TypeError);
  // The control.
  const { close } = await serveHttp(create(), { challenge: "Basic" });
  await close();
});
