import { InMemoryTransport, type JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import { defineTool } from "mcp-headway";
import { createMount } from "mcp-headway/sdk";
import { filter, firstValueFrom, ReplaySubject, VirtualTimeScheduler } from "rxjs";
import { expect, it, onTestFinished } from "vitest";

const report = defineTool({
  name: "report",
  description: "Reports and returns",
  handler: (_args, ctx) => void ctx.progress(1),
});

it.each([
  ["a caller", undefined],
  ["a caller who is known", { token: "good", clientId: "ann", scopes: [] }],
])("off HTTP a mounted tool's answer to %s keeps its distance from the last update", async (_, authInfo) => {
  const scheduler = new VirtualTimeScheduler();
  const server = new McpServer({ name: "host", version: "1.0.0" });
  createMount({ tools: [report] }, { scheduler }).registerOn(server);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  onTestFinished(() => near.close());
  const received: JSONRPCMessage[] = [];
  const messages = new ReplaySubject<JSONRPCMessage>();
  near.onmessage = (message) => {
    received.push(message);
    messages.next(message);
  };
  const params = { name: "report", arguments: {}, _meta: { progressToken: "a" } };
  await near.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { ...(authInfo && { authInfo }) });
  await firstValueFrom(messages);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect(received).toMatchObject([{ method: "notifications/progress" }]);
  scheduler.flush();
  await firstValueFrom(messages.pipe(filter((message) => "result" in message)));
  expect(scheduler.now()).toBe(10);
});
