import type { Client, Transport } from "@modelcontextprotocol/client";
import type { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer as FirstServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpServer, AuthInfo as SdkAuthInfo } from "@modelcontextprotocol/server";
import type { ServeStdioOptions } from "@modelcontextprotocol/server/stdio";
import {
  type ServeTransportsOptions,
  serveTransports,
  type TakeTransport,
  WebSocketClientTransport,
  type WebSocketTransport,
} from "mcp-headway/sdk/websocket";
import { firstValueFrom } from "rxjs";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { z } from "zod";
import { firstClient, type Mode, type Official, secondClient } from "../transports/official.ts";
import { serveOfficial } from "./websocket-kit.ts";

async function join(client: Official, url: string): Promise<Official> {
  await client.connect(new WebSocketClientTransport(url));
  onTestFinished(() => client.close());
  return client;
}

const clients: readonly (readonly [name: string, create: () => Official])[] = [
  ["of SDK 2.x as it comes", () => secondClient()],
  ["of SDK 2.x in its auto mode", () => secondClient("auto")],
  ["of SDK 2.x pinned to 2026-07-28", () => secondClient({ pin: "2026-07-28" })],
  ["of SDK 1.x", firstClient],
];

describe.each(clients)("the official client %s against the official server", (_, create) => {
  it("gets every update in order, then the result", async () => {
    const { url } = await serveOfficial();
    const client = await join(create(), url);
    const values: number[] = [];
    const content = await client.call("count", { to: 500 }, { onprogress: ({ progress }) => values.push(progress) });
    expect(values).toEqual(Array.from({ length: 500 }, (__, index) => index + 1));
    expect(content).toEqual([{ type: "text", text: "500" }]);
  });

  it("cancels by its signal", async () => {
    const { url, aborted } = await serveOfficial();
    const client = await join(create(), url);
    const leaving = new AbortController();
    const reason = firstValueFrom(aborted);
    const call = client.call("hold", {}, { signal: leaving.signal, onprogress: () => leaving.abort() });
    await expect(call).rejects.toThrow();
    await reason;
    expect(await client.call("echo", { text: "on" })).toEqual([{ type: "text", text: "on" }]);
  });

  it("gets text of any script as it was", async () => {
    const { url } = await serveOfficial();
    const client = await join(create(), url);
    const text = `a\u2028b\u2029c\nd "\\" 🦉 ${"日本語🦉".repeat(50_000)}`;
    expect(await client.call("echo", { text })).toEqual([{ type: "text", text }]);
  });
});

describe("a question of the official server", () => {
  const legacy: readonly (readonly [string, () => Official])[] = [
    ["SDK 2.x", () => secondClient("legacy")],
    ["SDK 1.x", firstClient],
  ];

  it.each(legacy)("reaches the client of %s in the middle of a call, in its place", async (_, create) => {
    const { url } = await serveOfficial();
    const client = await join(create(), url);
    const values: number[] = [];
    const content = await client.call("ask", {}, { onprogress: ({ progress }) => values.push(progress) });
    expect(content).toEqual([{ type: "text", text: "accept red" }]);
    expect(values).toEqual([1, 2]);
    expect(client.asked).toEqual(["Which colour?"]);
  });
});

describe("the official server of SDK 1.x", () => {
  it("serves clients of both versions in the legacy era", async () => {
    const take: TakeTransport = async (transport) => {
      const server = new FirstServer({ name: "first", version: "1.0.0" });
      server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({
        content: [{ type: "text", text }],
      }));
      await server.connect(transport);
    };
    const { url } = await serveOfficial({ take });
    for (const create of [() => secondClient("auto"), firstClient]) {
      const client = await join(create(), url);
      expect(await client.call("echo", { text: "one" })).toEqual([{ type: "text", text: "one" }]);
    }
  });
});

describe("server.connect of SDK 2.x", () => {
  it.each<[Mode, string]>([
    ["legacy", "on"],
    ["auto", "on"],
  ])("serves a client in its %s mode", async (mode) => {
    const official = await serveOfficial();
    const { url } = await serveOfficial({ take: (transport) => official.create().connect(transport) });
    const client = await join(secondClient(mode), url);
    expect(await client.call("echo", { text: "on" })).toEqual([{ type: "text", text: "on" }]);
  });

  it("does not know the modern era, which needs serveStdio", async () => {
    const official = await serveOfficial();
    const { url } = await serveOfficial({ take: (transport) => official.create().connect(transport) });
    await expect(join(secondClient({ pin: "2026-07-28" }), url)).rejects.toThrow();
    await join(secondClient({ pin: "2026-07-28" }), official.url);
  });
});

describe("the types", () => {
  it("fit the SDK of either version", () => {
    expectTypeOf<WebSocketClientTransport>().toExtend<Parameters<Client["connect"]>[0]>();
    expectTypeOf<WebSocketClientTransport>().toExtend<Parameters<FirstClient["connect"]>[0]>();
    expectTypeOf<WebSocketTransport>().toExtend<Parameters<McpServer["connect"]>[0]>();
    expectTypeOf<WebSocketTransport>().toExtend<Parameters<FirstServer["connect"]>[0]>();
    expectTypeOf<WebSocketTransport>().toExtend<NonNullable<ServeStdioOptions["transport"]>>();
    expectTypeOf<WebSocketTransport>().toExtend<Transport>();
    expectTypeOf<WebSocketTransport>().toExtend<FirstTransport>();
    type Authenticate = NonNullable<ServeTransportsOptions["authenticate"]>;
    expectTypeOf<() => Promise<SdkAuthInfo | undefined>>().toExtend<Authenticate>();
    expectTypeOf<() => string>().not.toExtend<Authenticate>();
  });
});

it("a server is given functions to take transports and to tell errors", async () => {
  await expect(serveTransports(undefined as never)).rejects.toThrow("`take` to be a function");
  await expect(serveTransports(() => undefined, { onError: 1 as never })).rejects.toThrow("`onError` to be a function");
});
