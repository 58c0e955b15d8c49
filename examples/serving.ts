// A server behind a proxy: who may reach it, who calls, and how it shuts down.
import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { createMcpServer, defineResource, defineTool, type McpToolContext } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";

interface User {
  readonly name: string;
}
const users = new Map<string | undefined, User>([["Bearer swordfish", { name: "Ann" }]]);

// #region tool
const whoAmI = defineTool({
  name: "who_am_i",
  description: "Says who calls",
  handler: (_args, ctx: McpToolContext<User>) => `You are ${ctx.principal.name}`,
});
// #endregion

// #region resource
const log = defineResource({
  uriTemplate: "log://{day}",
  name: "log",
  description: "What happened on a day",
  read: (_uri, { day }, ctx) => {
    ctx.progress(1, 1, `opened ${day}`);
    return `Nothing happened on ${day}`;
  },
});
// #endregion

const server = createMcpServer({ name: "office", version: "1.0.0", tools: [whoAmI], resources: [log] });

// #region serve
const handle = await serveHttp(server, {
  port: 0,
  path: "/mcp",
  allowedHosts: ["mcp.example.com"],
  allowedOrigins: ["https://app.example.com"],
  authenticate: ({ headers }) => users.get(headers.authorization),
});
process.once("SIGTERM", () => void handle.close());
// #endregion

/** As a proxy passes a call on: to this machine, under the name that its clients know. */
async function call(method: string, params: object, headers: Record<string, string>) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { name, uri } = params as Record<string, string>;
  const sent = request(handle.url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      "Mcp-Name": name ?? uri ?? "",
      Host: "mcp.example.com",
      ...headers,
    },
  });
  sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }));
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.once("response", resolve).once("error", reject),
  );
  return { status: response.statusCode, body: await text(response) };
}

const asAnn = { Authorization: "Bearer swordfish" };
const whoAmIName = { name: "who_am_i" };
assert.match((await call("tools/call", whoAmIName, asAnn)).body, /You are Ann/);
assert.match((await call("resources/read", { uri: "log://monday" }, asAnn)).body, /Nothing happened on monday/);
assert.equal((await call("tools/call", whoAmIName, {})).status, 401);
assert.equal((await call("tools/call", whoAmIName, { ...asAnn, Host: "evil.example" })).status, 403);
assert.equal((await call("tools/call", whoAmIName, { ...asAnn, Origin: "https://evil.example" })).status, 403);
assert.equal((await call("tools/call", whoAmIName, { ...asAnn, Origin: "https://app.example.com" })).status, 200);
console.log("Ann is known, a stranger and a foreign page are not");

process.kill(process.pid, "SIGTERM");
