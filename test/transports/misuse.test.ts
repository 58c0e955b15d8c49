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
    for (const none of [{ name: "s" }, undefined]) {
      await expect(serve(none as unknown as Servable)).rejects.toThrow("made by createMcpServer");
    }
  });

  it.each([
    ["serveHttp", serveHttp],
    ["serveWebSocket", serveWebSocket],
  ] as const)("refuses a path that no request can ask for: %s", async (_, serve) => {
    await expect(serve(server, { path: "mcp" })).rejects.toThrow('Expected `path` to begin with "/", got "mcp"');
    const { close } = await serve(server, { path: "/other" });
    await close();
  });

  it.each([
    [{ port: "abc" }, 'Expected `port` to be an integer between 0 and 65535, got "abc"'],
    [{ port: "3000" }, 'Expected `port` to be an integer between 0 and 65535, got "3000"'],
    [{ port: Number.NaN }, "Expected `port` to be an integer between 0 and 65535, got NaN"],
    [{ port: 65_536 }, "Expected `port` to be an integer between 0 and 65535, got 65536"],
    [{ host: "" }, 'Expected `host` to be a host name or an address, got ""'],
  ])("refuses what is no address: %j", async (address, message) => {
    for (const serve of [serveHttp, serveWebSocket]) {
      await expect(serve(server, address as { port: number })).rejects.toThrow(message);
    }
    const { close } = await serveHttp(server, { port: 0, host: "localhost" });
    await close();
  });

  it("refuses the handle of a server in place of the server", async () => {
    const handle = await serveHttp(server);
    onTestFinished(() => handle.close());
    await expect(serveWebSocket(server, { server: handle as never })).rejects.toThrow(
      "Expected `server` to be a server of node:http or node:https, such as the `server` of what serveHttp returns",
    );
    const { close } = await serveWebSocket(server, { server: handle.server });
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
