// The same kit under Node's own runner: `node --test`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMcpServer, Disconnected } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { collectProgress, leavingClient, marbles, recordLifecycle, slowClient, toolCall } from "mcp-headway/testing";
import { importReadings, sprinkle, surveyBeds } from "./garden.ts";

// #region tests
test("reports each bed when it was measured", () => {
  marbles(({ cold, expectCall }) => {
    const tool = surveyBeds(() => cold("--(d|)"));
    expectCall(tool, toolCall("survey_beds", { beds: ["roses", "herbs"] })).toEmit("--1-(2r|)");
  });
});

test("waits for a client that reads one message per millisecond", async () => {
  const client = slowClient(importReadings, { everyMs: 1 });
  client.send(toolCall("import_readings", { count: 20 }));
  await client.done();
  assert.equal(client.updates.length, 20);
  assert.equal(client.merged, 0);
});

test("stops when the client leaves", async () => {
  const client = leavingClient(importReadings, { afterMessages: 3 });
  client.send(toolCall("import_readings", { count: 1_000_000 }));
  await client.stopped();
  assert(client.aborted[0] instanceof Disconnected);
});
// #endregion

test("records what crosses the wire", async () => {
  const life = await recordLifecycle(importReadings, toolCall("import_readings", { count: 2 }));
  assert.deepEqual(
    life.map(({ type }) => type),
    ["token", "notification", "notification", "result"],
  );
});

test("reports each minute", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const client = connect(createMcpServer({ name: "garden", version: "1.0.0", tools: [sprinkle] }));
  const progress = collectProgress(client.streamTool("sprinkle", { minutes: 2 }));
  for (let minute = 0; minute < 2; minute += 1) {
    await new Promise(setImmediate);
    mock.timers.tick(60_000);
  }
  assert.equal((await progress.waitForComplete()).length, 2);
});
