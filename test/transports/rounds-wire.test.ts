import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpServer, defineTool } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

const halfway = defineTool({
  name: "halfway",
  description: "Reports, asks, and reports from the start again",
  cadence: "every",
  handler: async (_, ctx) => {
    const first = ctx.percentProgress();
    for (const fraction of [0.2, 0.6]) first.complete(fraction);
    const { action } = await ctx.elicit("Go on?", z.object({ sure: z.boolean() }));
    const second = ctx.percentProgress();
    for (let step = 1; step <= 9; step += 1) second.complete(step / 10);
    return action;
  },
});

it("the official client over HTTP sees values that only rise across the rounds of a call", async () => {
  const server = createMcpServer(
    { name: "s", version: "1.0.0", tools: [halfway] },
    { requestState: { keys: [{ id: "k", secret: new Uint8Array(32) }] } },
  );
  const { url, close } = await serveHttp(server);
  onTestFinished(() => close());
  const bodies: Promise<string>[] = [];
  const spy: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    bodies.push(response.clone().text());
    return response;
  };
  const client = new Client(
    { name: "official", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { sure: true } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: spy }));
  onTestFinished(() => client.close());
  const result = await client.callTool({ name: "halfway" }, { onprogress: () => undefined });
  expect(result.content).toEqual([{ type: "text", text: "accept" }]);
  // Its `onprogress` adds an update of its own for each round, so the frames are what counts.
  const frames = (await Promise.all(bodies)).flatMap((body) => body.match(/^data: .*$/gm) ?? []);
  const messages = frames.map((frame) => JSON.parse(frame.slice("data: ".length)));
  const progress = messages.filter(({ method }) => method === "notifications/progress");
  expect(progress.map(({ params }) => params.progress)).toEqual([0.2, 0.6, 0.7, 0.8, 0.9]);
  expect(messages.filter(({ result }) => result?.resultType === "input_required")).toHaveLength(1);
});
