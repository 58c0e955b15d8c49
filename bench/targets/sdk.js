/** The official TypeScript SDK, mounted as its documentation does. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { listen, ready } from "../channel.js";
import { paces, perform, timeUnheard, total } from "../workload.js";

const workSchema = z.object({
  count: z.number(),
  pace: z.enum(paces),
  durationMs: z.number().optional(),
});

function buildServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool(
    "work",
    { description: "Reports progress", inputSchema: workSchema },
    async (work, { mcpReq }) => {
      await perform(work, reporter(mcpReq));
      return { content: [{ type: "text", text: "done" }] };
    },
  );
  server.registerTool("unheard", { description: "Times reports nobody asked for" }, async ({ mcpReq }) => {
    return { content: [{ type: "text", text: String(timeUnheard(reporter(mcpReq))) }] };
  });
  return server;
}

/** @param {import("@modelcontextprotocol/server").ServerContext["mcpReq"]} mcpReq */
function reporter(mcpReq) {
  const progressToken = mcpReq._meta?.progressToken;
  return (/** @type {number} */ progress, /** @type {string} */ message) => {
    if (progressToken === undefined) return undefined;
    return mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total, message } });
  };
}

if (process.argv[2] === "stdio") {
  serveStdio(buildServer);
  ready();
} else {
  const handle = toNodeHandler(createMcpHandler(buildServer));
  listen(createServer((request, response) => void handle(request, response)));
}
