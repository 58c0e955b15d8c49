// How to test a tool: collect what a call reports, or record its whole life as it crosses the wire.
import assert from "node:assert/strict";
import { createMcpServer, defineTool } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { collectProgress, recordLifecycle, toolCall } from "mcp-headway/testing";

const water = defineTool({
  name: "water_plants",
  description: "Waters the plants on the sill",
  handler: async (_args, ctx) => {
    for await (const _plant of ctx.track(["fern", "ivy"], (plant) => `watered the ${plant}`));
    return "All watered";
  },
});
const server = createMcpServer({ name: "garden", version: "1.0.0", tools: [water] });

// #region collect
const client = connect(server);
const progress = collectProgress(client.streamTool("water_plants"));
assert.deepEqual(await progress.waitForComplete(), [
  { progress: 1, total: 2, message: "watered the fern" },
  { progress: 2, total: 2, message: "watered the ivy" },
]);
client.close();
// #endregion

// #region lifecycle
const life = await recordLifecycle(server, toolCall("water_plants"));
assert.deepEqual(
  life.map(({ type }) => type),
  ["token", "notification", "notification", "result"],
);
// #endregion

// A call that asks for nothing hears of nothing but its result.
const silent = await recordLifecycle(server, toolCall("water_plants", {}, { progressToken: null }));
assert.deepEqual(
  silent.map(({ type }) => type),
  ["result"],
);
console.log(`${progress.all.length} updates collected, ${life.length} entries recorded`);
