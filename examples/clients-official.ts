// The official client: its progress as an observable, without the updates that it makes up.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Client, type Progress, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpServer, defineTool } from "mcp-headway";
import { observeProgress, progressState } from "mcp-headway/client";
import { serveHttp } from "mcp-headway/http";
import { firstValueFrom, lastValueFrom, Subject, timeout, toArray } from "rxjs";
import { z } from "zod";

const ship = defineTool({
  name: "ship",
  description: "Packs a parcel, asks how to send it, and sends it",
  handler: async (_args, ctx) => {
    const parcel = ctx.percentProgress();
    parcel.complete(0.5, "packed");
    const { content } = await ctx.elicit("By air?", z.object({ air: z.boolean() }));
    parcel.complete(0.75, "stamped");
    return content?.air === true ? "Sent by air" : "Sent by sea";
  },
});

const stopped = new Subject<unknown>();
const weigh = defineTool({
  name: "weigh",
  description: "Waits for a scale that is broken",
  handler: async (_args, ctx) => {
    ctx.progress(1, 2, "on the scale");
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    stopped.next(ctx.signal.reason);
  },
});

const keys = [{ id: "1", secret: randomBytes(32) }];
const server = createMcpServer({ name: "depot", version: "1.0.0", tools: [ship, weigh] }, { requestState: { keys } });
const { url, close } = await serveHttp(server);

const client = new Client(
  { name: "desk", version: "1.0.0" },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { air: true } }));
await client.connect(new StreamableHTTPClientTransport(new URL(url)));

// #region callback
const seen: Progress[] = [];
const result = await client.callTool(
  { name: "ship", arguments: {} },
  { onprogress: (update) => seen.push(update), resetTimeoutOnProgress: true, timeout: 10_000 },
);
assert.deepEqual(seen, [
  { progress: 0.5, total: 1, message: "packed" },
  { progress: 1, message: "Fulfilling input required by 'tools/call' (round 1)" },
  { progress: 0.75, total: 1, message: "stamped" },
]);
// #endregion

assert.deepEqual(result.content, [{ type: "text", text: "Sent by air" }]);

// #region observe
const call = observeProgress((options) =>
  client.callTool({ name: "ship", arguments: {} }, { ...options, resetTimeoutOnProgress: true, timeout: 10_000 }),
);
const events = await lastValueFrom(call.pipe(toArray()));
assert.deepEqual(events.slice(0, -1), [
  { type: "progress", progress: 0.5, total: 1, message: "packed" },
  { type: "progress", progress: 0.75, total: 1, message: "stamped" },
]);
// #endregion

assert.equal(events.at(-1)?.type, "result");

const states = await lastValueFrom(call.pipe(progressState(), toArray()));
assert.deepEqual(
  states.map(({ fraction }) => fraction),
  [undefined, 0.5, 0.75, undefined],
);
console.log(`The bar stood at ${states.map(({ fraction = 0 }) => `${100 * fraction} %`).join(", ")}`);

const noticed = firstValueFrom(stopped);
// #region limits
const stuck = observeProgress(({ onprogress, signal }) => {
  const inAll = AbortSignal.any([signal, AbortSignal.timeout(600_000)]);
  return client.callTool({ name: "weigh", arguments: {} }, { onprogress, signal: inAll, timeout: 600_000 });
});
await assert.rejects(lastValueFrom(stuck.pipe(timeout({ each: 100 }))), { name: "TimeoutError" });
// #endregion
assert.ok((await noticed) instanceof Error);

const hurried = observeProgress(({ onprogress, signal }) => {
  const inAll = AbortSignal.any([signal, AbortSignal.timeout(100)]);
  return client.callTool({ name: "weigh", arguments: {} }, { onprogress, signal: inAll });
});
await assert.rejects(lastValueFrom(hurried), /timeout/i);

await client.close();
await close();
