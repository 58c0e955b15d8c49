/** The official TypeScript SDK 1.x: one server and transport per session, on bare `node:http`, without an event store. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { listen, ready } from "../channel.js";
import { paces, perform, timeUnheard, total } from "../workload.js";

const workShape = { count: z.number(), pace: z.enum(paces), durationMs: z.number().optional() };

function buildServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("work", { description: "Reports progress", inputSchema: workShape }, async (work, extra) => {
    await perform(work, reporter(extra));
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("unheard", { description: "Times reports nobody asked for" }, async (extra) => {
    return { content: [{ type: "text", text: String(timeUnheard(reporter(extra))) }] };
  });
  return server;
}

/** @typedef {import("@modelcontextprotocol/sdk/types.js").ServerRequest} ServerRequest */
/** @typedef {import("@modelcontextprotocol/sdk/types.js").ServerNotification} ServerNotification */
/** @param {import("@modelcontextprotocol/sdk/shared/protocol.js").RequestHandlerExtra<ServerRequest, ServerNotification>} extra */
function reporter(extra) {
  const progressToken = extra._meta?.progressToken;
  return (/** @type {number} */ progress, /** @type {string} */ message) => {
    if (progressToken === undefined) return undefined;
    const params = { progressToken, progress, total, message };
    return extra.sendNotification({ method: "notifications/progress", params });
  };
}

async function serveHttp() {
  const { StreamableHTTPServerTransport } = await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
  /** @type {Map<string, import("@modelcontextprotocol/sdk/server/streamableHttp.js").StreamableHTTPServerTransport>} */
  const sessions = new Map();
  const openSession = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await buildServer().connect(
      /** @type {import("@modelcontextprotocol/sdk/shared/transport.js").Transport} */ (transport),
    );
    return transport;
  };
  listen(
    createServer(async (request, response) => {
      const transport = sessions.get(String(request.headers["mcp-session-id"])) ?? (await openSession());
      await transport.handleRequest(request, response);
    }),
  );
}

if (process.argv[2] === "stdio") {
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  await buildServer().connect(new StdioServerTransport());
  ready();
} else await serveHttp();
