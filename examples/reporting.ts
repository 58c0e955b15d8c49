// What a handler can rely on when it reports: totals, messages, one line per request, floods, and a pulse in silence.
import assert from "node:assert/strict";
import { setTimeout as work } from "node:timers/promises";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect } from "mcp-headway/client";

// #region emitters
const upload = defineTool({
  name: "upload",
  description: "Uploads a file in two parts",
  handler: (_args, ctx) => {
    const bytes = ctx.longProgress(2_048);
    bytes.emit(1_024, "first half");
    bytes.emit(2_048, "second half");
  },
});
// #endregion

// #region line
const merge = defineTool({
  name: "merge",
  description: "Two libraries report without knowing of each other",
  handler: (_args, ctx) => {
    const ours = ctx.percentProgress();
    const theirs = ctx.percentProgress();
    assert.equal(ours.complete(0.5), true);
    assert.equal(theirs.complete(0.3), false); // it passes its own guard, but the request is further already
    assert.equal(theirs.complete(0.7), true);
  },
});
// #endregion

// #region flood
const count = defineTool({
  name: "count",
  description: "Counts faster than anybody reads",
  handler: (_args, ctx) => {
    const counted = ctx.countingProgress(100_000);
    for (let index = 0; index < 100_000; index += 1) counted.emit();
  },
});
// #endregion

// #region every
const copy = defineTool({
  name: "copy",
  description: "Reports every block, as fast as the client takes them",
  cadence: "every",
  handler: async (_args, ctx) => {
    const copied = ctx.countingProgress(1_000);
    for (let index = 0; index < 1_000; index += 1) {
      copied.emit();
      await ctx.drained();
    }
  },
});
// #endregion

// #region pulse
const solve = defineTool({
  name: "solve",
  description: "Waits for a solver that says nothing",
  handler: async (_args, ctx) => {
    ctx.percentProgress().complete(0.5, "solving");
    ctx.pulse({ everyMs: 120, forMs: 60_000 });
    return await solver();
  },
});
// #endregion

async function solver(): Promise<string> {
  await work(400);
  return "solved";
}

const tools = [upload, merge, count, copy, solve];
const server = createMcpServer({ name: "reports", version: "1.0.0", tools });
const told: string[] = [];
server.diagnostics.subscribe(({ type }) => told.push(type));
const client = connect(server);

async function updatesOf(name: string): Promise<ProgressUpdate[]> {
  const updates: ProgressUpdate[] = [];
  await client.callTool(name, {}, { onProgress: (update) => updates.push(update) });
  return updates;
}

assert.deepEqual(await updatesOf("upload"), [
  { progress: 1_024, total: 2_048, message: "first half" },
  { progress: 2_048, total: 2_048, message: "second half" },
]);
assert.deepEqual(
  (await updatesOf("merge")).map(({ progress }) => progress),
  [0.5, 0.7],
);
assert.deepEqual(told, ["merged-progress"]);
const flood = await updatesOf("count");
assert.ok(flood.length < 100);
assert.equal(flood.at(-1)?.progress, 100_000);
assert.equal((await updatesOf("copy")).length, 1_000);
const pulsed = await updatesOf("solve");
assert.ok(pulsed.length > 1);
assert.ok(pulsed.every(({ progress, message }) => progress - 0.5 < 1e-9 && message === "solving"));
client.close();
console.log(`${flood.length} of 100000 updates went out, ${pulsed.length - 1} pulses moved nothing`);
