import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as FirstStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Cancelled, Disconnected, type Servable } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import { serveWebSocket } from "mcp-headway/websocket";
import { firstValueFrom } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { fixture } from "./child.ts";
import { send } from "./http-client.ts";
import { type AnyTransport, firstClient, type Official, secondClient, type Update } from "./official.ts";
import { createScenario } from "./scenario.ts";

const clients: readonly (readonly [name: string, era: "modern" | "legacy", create: () => Official])[] = [
  ["of SDK 2.x as it comes", "legacy", () => secondClient()],
  ["of SDK 2.x in its auto mode", "modern", () => secondClient("auto")],
  ["of SDK 2.x pinned to 2026-07-28", "modern", () => secondClient({ pin: "2026-07-28" })],
  ["of SDK 1.x", "legacy", firstClient],
];

/** A server that remembers the eras in which it was called. */
function watched(server: Servable) {
  const eras = new Set<string>();
  const { diagnostics } = server;
  const dispatch: Servable["dispatch"] = (request, exchange) => {
    if (request.method === "tools/call") eras.add(exchange.era);
    return server.dispatch(request, exchange);
  };
  return { eras, servable: { dispatch, diagnostics } };
}

const carriers = {
  HTTP: async (server: Servable, isFirst: boolean): Promise<AnyTransport> => {
    const handle = await serveHttp(server, { closeGraceMs: 20 });
    onTestFinished(() => handle.close());
    return new (isFirst ? FirstHttpTransport : StreamableHTTPClientTransport)(new URL(handle.url));
  },
  WebSocket: async (server: Servable): Promise<AnyTransport> => {
    // This process may be busy for longer than the default gap; what is tested here is the order.
    const handle = await serveWebSocket(server, { closeGraceMs: 20, answerGapMs: 200 });
    onTestFinished(() => handle.close());
    return new WebSocketClientTransport(handle.url);
  },
};

async function join(client: Official, transport: AnyTransport): Promise<void> {
  await client.connect(transport);
  onTestFinished(() => client.close());
}

async function checkCount(client: Official, text: string): Promise<void> {
  const values: number[] = [];
  const content = await client.call("count", { to: 50 }, { onprogress: ({ progress }) => values.push(progress) });
  expect(values).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(content).toEqual([{ type: "text", text }]);
}

async function checkAsk(client: Official): Promise<void> {
  const values: number[] = [];
  // Between two rounds the client of SDK 2.x adds updates of its own, which have no total.
  const onprogress = ({ progress, total }: Update) => void (total === 3 && values.push(progress));
  const content = await client.call("ask", {}, { onprogress });
  expect(content).toEqual([{ type: "text", text: "accept red" }]);
  expect(values).toEqual([1, 2]);
  expect(client.asked).toEqual(["Which colour?"]);
}

describe.each(clients)("the official client %s", (_, era, create) => {
  const isFirst = create === firstClient;

  describe.each(Object.entries(carriers))("over %s", (name, carry) => {
    async function connect() {
      const scenario = createScenario(20);
      scenario.server.diagnostics.subscribe();
      const { eras, servable } = watched(scenario.server);
      const client = create();
      await join(client, await carry(servable, isFirst));
      return { ...scenario, client, eras };
    }

    it("gets every update in order, then the result", async () => {
      const { client, eras } = await connect();
      await checkCount(client, "50");
      expect([...eras]).toEqual([era]);
    });

    it("is asked in the middle of a call", async () => {
      const { client } = await connect();
      await checkAsk(client);
    });

    it("cancels by its signal", async () => {
      const { client, aborted } = await connect();
      const leaving = new AbortController();
      const call = client.call("hold", {}, { signal: leaving.signal, onprogress: () => leaving.abort() });
      await expect(call).rejects.toThrow();
      const isClosing = name === "HTTP" && era === "modern";
      expect(await firstValueFrom(aborted)).toBeInstanceOf(isClosing ? Disconnected : Cancelled);
      expect(await client.call("count", { to: 1 })).toEqual([{ type: "text", text: "1" }]);
    });
  });

  it("does the same over stdio, with a process of its own", async () => {
    const client = create();
    const Transport = isFirst ? FirstStdioTransport : StdioClientTransport;
    const args = [fixture("stdio-server.mjs"), "500"];
    await join(client, new Transport({ command: process.execPath, args, stderr: "ignore" }));
    await checkCount(client, "counted");
    await checkAsk(client);
  });
});

it("clients of both eras use one server at once", async () => {
  const { server } = createScenario(20);
  server.diagnostics.subscribe();
  const { eras, servable } = watched(server);
  const handle = await serveHttp(servable);
  onTestFinished(() => handle.close());
  const all = clients.map(([, , create]) => [create(), create === firstClient] as const);
  for (const [client, isFirst] of all) {
    await join(client, new (isFirst ? FirstHttpTransport : StreamableHTTPClientTransport)(new URL(handle.url)));
  }
  await Promise.all(all.map(([client]) => checkAsk(client)));
  expect([...eras].sort()).toEqual(["legacy", "modern"]);
});

it("the official client of SDK 1.x ends its session, which another one does not need", async () => {
  const { server } = createScenario(20);
  const handle = await serveHttp(server);
  onTestFinished(() => handle.close());
  const transports = [1, 2].map(() => new FirstHttpTransport(new URL(handle.url)));
  const [client, other] = [firstClient(), firstClient()];
  for (const [index, each] of [client, other].entries()) await join(each, transports[index] ?? expect.fail());
  const id = transports[0]?.sessionId ?? "";
  await checkCount(client, "50");
  await transports[0]?.terminateSession();
  expect((await send(handle.url, { method: "DELETE", headers: { "Mcp-Session-Id": id } })).status).toBe(404);
  await checkCount(other, "50");
});
