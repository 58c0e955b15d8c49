import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createHttpListener, type HttpOptions } from "mcp-headway/http";
import { of } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { headersFor, send } from "./http-client.ts";
import { callOf } from "./peer.ts";
import { servable } from "./servable.ts";

const call = JSON.stringify(callOf(1, "count", {}));

type Middleware = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** A listener behind a middleware that takes its time; requests that say `fast` pass it. */
async function serveBehind(middleware: Middleware, options: HttpOptions = {}) {
  const server = servable(() => of({ type: "result", result: {} }));
  const listener = createHttpListener(server, options);
  let passed = 0;
  const http = createServer(async (req, res) => {
    if (req.headers["x-pass"] !== "fast") await middleware(req, res);
    listener(req, res);
    passed += 1;
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const { port } = http.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const failures: unknown[] = [];
  server.diagnostics.unheard.subscribe((diagnostic) => failures.push(diagnostic));
  const fast = () => send(url, { body: call, headers: { "X-Pass": "fast" } });
  return { port, url, listener, failures, handled: server.requests, fast, passed: () => passed };
}

function postText(extra: Readonly<Record<string, string>> = {}): string {
  const headers = {
    Host: "127.0.0.1",
    "Content-Length": String(Buffer.byteLength(call)),
    ...headersFor(call),
    ...extra,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${call}`;
}

const untilClosed: Middleware = (req) => new Promise((resolve) => void req.socket.once("close", () => resolve()));

describe("behind an asynchronous middleware", () => {
  it.each([
    ["a client that left", {}],
    ["one that a page sent", { Origin: "http://127.0.0.1" }],
    ["one with a foreign host", { Host: "evil.example" }],
  ])("%s costs neither a slot nor a handler", async (_, headers) => {
    const { port, handled, fast, failures, passed } = await serveBehind(untilClosed, { maxInFlight: 1 });
    for (let index = 0; index < 3; index += 1) {
      const socket = connect(port, "127.0.0.1", () => socket.write(postText(headers), () => socket.destroy()));
      await vi.waitFor(() => expect(passed()).toBe(index + 1));
    }
    expect(handled).toHaveLength(0);
    expect((await fast()).status).toBe(200);
    expect(handled).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it("a request that waits behind another on its connection is left alone once that is gone", async () => {
    const { port, handled, fast, passed } = await serveBehind(untilClosed, { maxInFlight: 1 });
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(postText() + postText(), () => socket.destroy());
    });
    await vi.waitFor(() => expect(passed()).toBe(2));
    expect(handled).toHaveLength(0);
    expect((await fast()).status).toBe(200);
  });

  it("a response that the middleware has ended is left alone", async () => {
    const { url, handled, fast } = await serveBehind(
      async (_, res) => {
        res.writeHead(401).end("who?");
        await new Promise((resolve) => res.once("close", resolve));
      },
      { maxInFlight: 1 },
    );
    const origin = { Origin: new URL(url).origin };
    for (let index = 0; index < 3; index += 1) {
      expect(await send(url, { body: call, headers: origin })).toMatchObject({ status: 401, text: "who?" });
    }
    expect(handled).toHaveLength(0);
    expect((await fast()).status).toBe(200);
  });

  it("what throws cuts its connection and is reported, and nothing else", async () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    onTestFinished(() => emitWarning.mockRestore());
    const { url, handled, fast, failures } = await serveBehind(async (_, res) => {
      res.setHeader = () => {
        throw new Error("headers are sealed");
      };
    });
    const origin = { Origin: new URL(url).origin };
    await expect(send(url, { body: call, headers: origin })).rejects.toThrow("socket hang up");
    expect(failures).toMatchObject([{ type: "connection-failed", cause: new Error("headers are sealed") }]);
    expect(emitWarning).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("headers are sealed"),
      expect.objectContaining({ code: "connection-failed" }),
    );
    expect(handled).toHaveLength(0);
    expect((await fast()).status).toBe(200);
  });
});
