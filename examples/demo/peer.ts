import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import type { Answer } from "./answer.ts";

const script = fileURLToPath(new URL("../checksum/server.js", import.meta.url));

/** The official client, connected to a server process of its own. */
export interface Peer {
  readonly carrier: string;
  readonly client: Client;
  /** Ends the connection and the server process. */
  close(): Promise<void>;
}

export interface PeerOptions {
  /** What is served. */
  readonly root: string;
  /** Answers what a server asks. */
  readonly answer: (params: unknown) => Promise<Answer>;
}

/** Starts the checksum server on each carrier and connects to it. */
export async function openPeers(options: PeerOptions): Promise<readonly Peer[]> {
  return Promise.all([
    openForked("http", options, (url) => new StreamableHTTPClientTransport(new URL(url))),
    openForked("websocket", options, (url) => new WebSocketClientTransport(url)),
    openStdio(options),
  ]);
}

async function openForked(
  carrier: string,
  { root, answer }: PeerOptions,
  reach: (url: string) => Transport,
): Promise<Peer> {
  const child = fork(script, [carrier, root]);
  const left = once(child, "exit");
  const client = await connectTo(reach(await readUrl(child)), answer);
  return {
    carrier,
    client,
    close: async () => {
      await client.close();
      // The server leaves with its parent, which is how it never outlives this process either.
      if (child.connected) child.disconnect();
      await left;
    },
  };
}

async function openStdio({ root, answer }: PeerOptions): Promise<Peer> {
  const client = await connectTo(
    new StdioClientTransport({ command: process.execPath, args: [script, "stdio", root] }),
    answer,
  );
  return { carrier: "stdio", client, close: () => client.close() };
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("message", (url) => resolve(String(url)));
    child.once("exit", (code) => reject(new Error(`The server left with code ${code} before it listened`)));
  });
}

async function connectTo(transport: Transport, answer: PeerOptions["answer"]): Promise<Client> {
  // Left alone, the official client opens with the handshake of an earlier revision.
  const client = new Client(
    { name: "demo", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => answer(params));
  await client.connect(transport);
  return client;
}
