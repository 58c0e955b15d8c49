import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Diagnostics } from "mcp-headway";
import { serveTransports, WebSocketClientTransport } from "mcp-headway/sdk/websocket";

interface Fixture {
  readonly runs: { charge: number };
  readonly mount: { readonly diagnostics: Diagnostics };
  readonly buildServer: (options?: { readonly hook?: boolean }) => McpServer;
}

const path = new URL("../fixtures/sdk-server.mjs", import.meta.url);

/** The server under test, in this process. */
export async function fixture(): Promise<Fixture> {
  return (await import(fileURLToPath(path))) as Fixture;
}

const pinned = { pin: "2026-07-28" };

/** A client that answers what it is asked, and what it was asked. */
export interface Peer {
  readonly client: Client;
  readonly asked: string[];
  /** The updates that arrived, in order; under load the client itself loses what it reads together with the answer. */
  readonly updates: unknown[];
  readonly close: () => Promise<void>;
}

type Closing = () => unknown;

async function connected(mode: "legacy" | typeof pinned, transport: Parameters<Client["connect"]>[0]): Promise<Peer> {
  const capabilities = { elicitation: { form: {}, url: {} } };
  const client = new Client({ name: "official", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message);
    if (params.message === "May I?") return { action: "decline" };
    if (params.mode === "url") return { action: "accept" };
    return { action: "accept", content: params.message === "Whom?" ? { name: "Ann" } : { colour: "red" } };
  });
  await client.connect(transport);
  const updates: unknown[] = [];
  const receive = transport.onmessage;
  transport.onmessage = (message, ...more) => {
    if ("method" in message && message.method === "notifications/progress") updates.push(message.params);
    receive?.(message, ...more);
  };
  return { client, asked, updates, close: () => client.close() };
}

interface Listening {
  readonly url: URL;
  readonly close: Closing;
}

async function listen(
  handler: Parameters<typeof createServer>[1],
  closing: Closing = () => undefined,
): Promise<Listening> {
  const http = createServer(handler);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    await closing();
    http.closeAllConnections();
    http.close();
  };
  return { url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`), close };
}

/** The SDK's own HTTP entry, with a server per request. */
export async function listenHandler(options?: { readonly hook?: boolean }): Promise<Listening> {
  const { buildServer } = await fixture();
  const handle = toNodeHandler(createMcpHandler(() => buildServer(options)));
  return listen((request, response) => void handle(request as Parameters<typeof handle>[0], response));
}

async function listenSession(): Promise<Listening> {
  const { buildServer } = await fixture();
  const server = buildServer();
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport as Parameters<McpServer["connect"]>[0]);
  return listen(
    (request, response) => void transport.handleRequest(request, response),
    () => server.close(),
  );
}

const child = () => new StdioClientTransport({ command: process.execPath, args: [fileURLToPath(path)] });

async function overHttp(mode: "legacy" | typeof pinned, listening: Promise<Listening>): Promise<Peer> {
  const { url, close } = await listening;
  const peer = await connected(mode, new StreamableHTTPClientTransport(url));
  return {
    ...peer,
    close: async () => {
      await peer.close();
      await close();
    },
  };
}

async function overWebSocket(mode: "legacy" | typeof pinned): Promise<Peer> {
  const { buildServer } = await fixture();
  const { url, close } = await serveTransports((transport) => void serveStdio(() => buildServer(), { transport }));
  const peer = await connected(mode, new WebSocketClientTransport(url));
  return {
    ...peer,
    close: async () => {
      await peer.close();
      await close();
    },
  };
}

/** All ways in which the SDK serves both reports and questions. */
export const wholePeers: readonly (readonly [string, () => Promise<Peer>])[] = [
  ["createMcpHandler, 2026-07-28", () => overHttp(pinned, listenHandler())],
  ["a session over HTTP, 2025", () => overHttp("legacy", listenSession())],
  ["serveStdio, 2026-07-28", () => connected(pinned, child())],
  ["serveStdio, 2025", () => connected("legacy", child())],
  ["WebSocket, 2026-07-28", () => overWebSocket(pinned)],
  ["WebSocket, 2025", () => overWebSocket("legacy")],
];

/** The SDK's stateless service of old clients: it delivers reports and can ask nothing. */
export const statelessPeer = () => overHttp("legacy", listenHandler());
