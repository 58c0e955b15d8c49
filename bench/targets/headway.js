/** This library, as it is built in `dist/`. */
import { createMcpServer, defineTool } from "mcp-headway";
import { z } from "zod";
import { ready } from "../channel.js";
import { paces, perform, timeUnheard, total } from "../workload.js";

const work = defineTool({
  name: "work",
  description: "Reports progress",
  inputSchema: z.object({
    count: z.number(),
    pace: z.enum(paces),
    durationMs: z.number().optional(),
  }),
  cadence: "every",
  handler: async (args, ctx) => {
    const progress = ctx.doubleProgress(total);
    await perform(args, (value, message) => {
      progress.emit(value, message);
      return args.pace === "careless" ? undefined : ctx.drained();
    });
    return "done";
  },
});

const unheard = defineTool({
  name: "unheard",
  description: "Times reports nobody asked for",
  inputSchema: z.object({}),
  handler: (_args, ctx) => {
    const progress = ctx.doubleProgress(total);
    return String(timeUnheard((value, message) => progress.emit(value, message)));
  },
});

const server = createMcpServer({ name: "bench", version: "1.0.0", tools: [work, unheard] });

// The peers refuse nobody; the default is 1,000.
const maxInFlight = 20_000;

// A carrier is imported when it is served, as a program does that has only one.
switch (process.argv[2]) {
  case "sse": {
    const { serveHttp } = await import("mcp-headway/http");
    const { url } = await serveHttp(server, { port: 0, maxInFlight });
    ready({ port: Number(new URL(url).port) });
    break;
  }
  case "websocket": {
    const { serveWebSocket } = await import("mcp-headway/websocket");
    const { url } = await serveWebSocket(server, { port: 0, maxInFlight });
    ready({ port: Number(new URL(url).port) });
    break;
  }
  case "stdio": {
    const { serveStdio } = await import("mcp-headway/stdio");
    serveStdio(server, { maxInFlight });
    ready();
    break;
  }
}
