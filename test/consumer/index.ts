// A user's project: strict, library declarations checked, neither the types of `ws` nor the official SDK.
import type { RequestListener } from "node:http";
import { createMcpServer, definePrompt, defineResource, defineTool, type McpToolContext, reportTo } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { createHttpListener, serveHttp } from "mcp-headway/http";
import { serveTransports, WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import { serveStdio } from "mcp-headway/stdio";
import { createLiveLines, type LiveLinesOptions } from "mcp-headway/terminal";
import { collectProgress, marbles, slowClient, toolCall } from "mcp-headway/testing";
import { serveWebSocket } from "mcp-headway/websocket";
import { from, lastValueFrom } from "rxjs";
import { z } from "zod";

const count = defineTool({
  name: "count",
  description: "Counts",
  inputSchema: z.object({ to: z.number().int() }),
  outputSchema: z.object({ counted: z.number() }),
  handler: async ({ to }, ctx) => {
    const progress = ctx.countingProgress(to);
    while (progress.emit()) await ctx.drained();
    return { counted: to };
  },
});

const stream = defineTool({
  name: "stream",
  description: "Streams",
  handler: (_args, ctx: McpToolContext) => from([1, 2]).pipe(reportTo(ctx.longProgress(2))),
});

const greet = definePrompt({ name: "greet", description: "Greets", handler: () => "Hello" });
const about = defineResource({ uri: "about:us", name: "about", read: () => "us" });

const server = createMcpServer({
  name: "consumer",
  version: "1.0.0",
  tools: [count, stream],
  prompts: [greet],
  resources: [about],
});

export const listener: RequestListener = createHttpListener(server);
export const http = serveHttp(server, { port: 0 });
export const webSocket = serveWebSocket(server, { port: 0 });
export const transport = new WebSocketClientTransport("ws://127.0.0.1/mcp", {
  headers: { Authorization: "Bearer key" },
});
export const transports = serveTransports((connection) => connection.start(), { port: 0 });
export const stdio = () => serveStdio(server);

export async function call(): Promise<readonly number[]> {
  const progress = collectProgress();
  await connect(server).callTool("count", { to: 3 }, { onProgress: progress.onProgress });
  return progress.all.map((update) => update.progress);
}

export function draw(): void {
  marbles(({ cold, expectCall }) => {
    const tool = defineTool({ name: "rows", description: "Counts rows", handler: () => cold("-a|", { a: 1 }) });
    expectCall(tool, toolCall("rows")).toEmit("--(r|)", { r: { type: "result", result: { content: [] } } });
  });
}

export async function show(intervalMs?: number): Promise<void> {
  const options: LiveLinesOptions = { stream: process.stdout, intervalMs };
  const live = createLiveLines(options);
  await lastValueFrom(connect(server).streamTool("count", { to: 3 }).pipe(live.line("count")));
}

export async function starve(): Promise<number> {
  const client = slowClient(count, { everyMs: 5 });
  client.send(toolCall("count", { to: 3 }));
  await client.done();
  return client.merged;
}
