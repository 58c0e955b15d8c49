import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WebSocketClientTransport } from "./websocket.ts";

const script = fileURLToPath(new URL("../checksum/server.js", import.meta.url));

/** The official client, connected to a server process of its own. */
export interface Peer {
  readonly carrier: string;
  readonly client: Client;
  /** Ends the connection and the server process. */
  close(): Promise<void>;
}

/** Starts the checksum server on each carrier and connects to it. */
export async function openPeers(root: string): Promise<readonly Peer[]> {
  return Promise.all([
    openForked("http", root, (url) => new StreamableHTTPClientTransport(new URL(url))),
    openForked("websocket", root, (url) => new WebSocketClientTransport(url)),
    openStdio(root),
  ]);
}

async function openForked(carrier: string, root: string, reach: (url: string) => Transport): Promise<Peer> {
  const child = fork(script, [carrier, root]);
  const left = once(child, "exit");
  const client = await connectTo(reach(await readUrl(child)));
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

async function openStdio(root: string): Promise<Peer> {
  const client = await connectTo(
    new StdioClientTransport({ command: process.execPath, args: [script, "stdio", root] }),
  );
  return { carrier: "stdio", client, close: () => client.close() };
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("message", (url) => resolve(String(url)));
    child.once("exit", (code) => reject(new Error(`The server left with code ${code} before it listened`)));
  });
}

async function connectTo(transport: Transport): Promise<Client> {
  // Left alone, the official client opens with the handshake of an earlier revision.
  const client = new Client(
    { name: "demo", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  return client;
}
