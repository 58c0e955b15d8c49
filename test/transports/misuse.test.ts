import { createServer } from "node:http";
import { createMcpServer, type Servable } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { serveHttp } from "mcp-headway/http";
import { serveWebSocket } from "mcp-headway/websocket";
import { describe, expect, it, onTestFinished } from "vitest";

const server = createMcpServer({ name: "s", version: "1.0.0" });

describe("a carrier", () => {
  it.each([
    ["serveHttp", serveHttp],
    ["serveWebSocket", serveWebSocket],
    ["connect", async (none: Servable) => connect(none)],
  ] as const)("refuses what is no server, by name: %s", async (_, serve) => {
    await expect(serve({ name: "s" } as unknown as Servable)).rejects.toThrow("made by createMcpServer");
  });

  it.each([
    ["serveHttp", serveHttp],
    ["serveWebSocket", serveWebSocket],
  ] as const)("refuses a path that no request can ask for: %s", async (_, serve) => {
    await expect(serve(server, { path: "mcp" })).rejects.toThrow('Expected `path` to begin with "/", got "mcp"');
    const { close } = await serve(server, { path: "/other" });
    await close();
  });

  it("refuses a path of a shared server that is served already, until that one is closed", async () => {
    const http = createServer();
    onTestFinished(() => void http.close());
    const first = await serveWebSocket(server, { server: http });
    await expect(serveWebSocket(server, { server: http })).rejects.toThrow("each path once");
    await first.close();
    const second = await serveWebSocket(server, { server: http });
    await second.close();
  });
});
