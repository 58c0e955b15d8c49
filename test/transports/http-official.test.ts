import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Disconnected } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { firstValueFrom } from "rxjs";
import { expect, it, onTestFinished } from "vitest";
import { createScenario } from "./scenario.ts";

async function connect() {
  const scenario = createScenario(20);
  const handle = await serveHttp(scenario.server, { closeGraceMs: 20 });
  onTestFinished(() => handle.close());
  const options = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new Client({ name: "official", version: "1.0.0" }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(handle.url)));
  onTestFinished(() => client.close());
  return { ...scenario, client };
}

it("the official client gets every update in order, then the result", async () => {
  const { client } = await connect();
  const values: number[] = [];
  const result = await client.callTool(
    { name: "count", arguments: { to: 50 } },
    { onprogress: ({ progress }) => values.push(progress) },
  );
  expect(result.content).toEqual([{ type: "text", text: "50" }]);
  expect(values).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

it("the official client's abort reaches the handler", async () => {
  const { client, aborted } = await connect();
  const controller = new AbortController();
  const call = client.callTool(
    { name: "hold", arguments: {} },
    { signal: controller.signal, onprogress: () => controller.abort() },
  );
  await expect(call).rejects.toThrow();
  expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
});

it("the official client lists and calls what needs Base64 in its headers", async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("say");
  const { content } = await client.callTool({ name: "say", arguments: { text: "a\u2028b 😀" } });
  expect(content).toEqual([{ type: "text", text: "a\u2028b 😀" }]);
  expect((await client.readResource({ uri: "memo://note" })).contents).toMatchObject([{ text: "a note" }]);
  await expect(client.callTool({ name: "größe", arguments: {} })).rejects.toThrow(/größe|unknown/i);
});
