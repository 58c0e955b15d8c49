import { once } from "node:events";
import { connect } from "node:net";
import { createMcpServer, defineTool } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { expect, it, onTestFinished, vi } from "vitest";
import { metaOf } from "./peer.ts";

const tool = defineTool({ name: "t", description: "d", handler: () => "x" });
const server = createMcpServer({ name: "s", version: "1.0.0", tools: [tool] });

function headOf(host: string, length: number): string {
  return [
    "POST /mcp HTTP/1.1",
    `Host: ${host}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: tools/call",
    "Mcp-Name: t",
    `Content-Length: ${length}`,
    "",
    "",
  ].join("\r\n");
}

async function open(options: Parameters<typeof serveHttp>[1]) {
  const { url, close } = await serveHttp(server, options);
  onTestFinished(() => close());
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let read = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    read += text;
  });
  await once(socket, "connect");
  return { socket, host, url, read: () => read };
}

it("a body that does not come is answered with 408, and its place is free again", async () => {
  const { socket, host, url, read } = await open({ bodyTimeoutMs: 50, maxInFlight: 1 });
  socket.write(headOf(host, 1_000));
  await once(socket, "close");
  expect(read()).toMatch(/^HTTP\/1.1 408 /);
  // The control: the one place serves another.
  expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(415);
});

it("bodies that do not come keep nobody out: the oldest gives way", async () => {
  const { socket: oldest, host, url, read } = await open({ maxInFlight: 2 });
  oldest.write(headOf(host, 1_000));
  const params = { name: "t", _meta: metaOf(undefined) };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  // An answer says that the headers before it have been taken.
  const { status } = await fetch(url, { method: "POST", body: "x" });
  const { hostname, port } = new URL(url);
  const younger = connect(Number(port), hostname);
  onTestFinished(() => void younger.destroy());
  younger.write(headOf(host, body.length));
  const statuses = [status];
  while (!oldest.closed) statuses.push((await fetch(url, { method: "POST", body: "x" })).status);
  expect(new Set(statuses)).toEqual(new Set([415]));
  expect(read()).toMatch(/^HTTP\/1.1 408 /);
  // The control: the younger one is waited for.
  younger.write(body);
  const [answer] = await once(younger.setEncoding("utf8"), "data");
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

it("many requests sent at once on one connection look like no leak", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const { socket, host, read } = await open({});
  const params = { name: "t", _meta: metaOf(undefined) };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  socket.write((headOf(host, body.length) + body).repeat(30));
  while (read().split("HTTP/1.1 200").length <= 30) await once(socket, "data");
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned).not.toHaveBeenCalled();
});
