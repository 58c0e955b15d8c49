// A guard throws where the mistake is made, before anything is published, and leaves the emitter as it was.
import assert from "node:assert/strict";
import {
  createMcpServer,
  defineTool,
  InvalidProgressError,
  NonIncreasingProgressError,
  type ProgressUpdate,
} from "mcp-headway";
import { connect } from "mcp-headway/client";

const careless = defineTool({
  name: "careless",
  description: "Makes every mistake there is",
  handler: (_args, ctx) => {
    // #region guards
    const rows = ctx.longProgress(100);
    rows.emit(40);
    assert.throws(() => rows.emit(40), NonIncreasingProgressError);
    assert.throws(() => rows.emit(39), NonIncreasingProgressError);
    assert.throws(() => rows.emit(41.5), InvalidProgressError);
    assert.throws(() => rows.emit(Number.NaN), InvalidProgressError);
    assert.equal(rows.last, 40);
    rows.emit(100);
    // #endregion
  },
});

const client = connect(createMcpServer({ name: "guarded", version: "1.0.0", tools: [careless] }));

const updates: ProgressUpdate[] = [];
await client.callTool("careless", {}, { onProgress: (update) => updates.push(update) });
assert.deepEqual(updates, [
  { progress: 40, total: 100 },
  { progress: 100, total: 100 },
]);
console.log("Four mistakes were caught, two updates arrived");

client.close();
