import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { McpHttpHandler } from "@modelcontextprotocol/server";

/** Serves a handler of the official SDK on a free port. */
export async function listen(handler: McpHttpHandler) {
  const handle = toNodeHandler(handler);
  const http = createServer((request, response) => void handle(request as Parameters<typeof handle>[0], response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), close: () => http.close() };
}
