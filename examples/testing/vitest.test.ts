import { createMcpServer, Disconnected } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { collectProgress, leavingClient, marbles, recordLifecycle, slowClient, toolCall } from "mcp-headway/testing";
import { afterEach, expect, it, vi } from "vitest";
import { importReadings, sprinkle, surveyBeds } from "./garden.ts";

// #region collect
it("reports each reading", async () => {
  const client = connect(createMcpServer({ name: "garden", version: "1.0.0", tools: [importReadings] }));
  const progress = collectProgress(client.streamTool("import_readings", { count: 2 }));
  expect(await progress.waitForComplete()).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
});
// #endregion

// #region lifecycle
it("answers with the number of readings", async () => {
  expect(await recordLifecycle(importReadings, toolCall("import_readings", { count: 1 }))).toEqual([
    { type: "token", progressToken: "lifecycle" },
    {
      type: "notification",
      method: "notifications/progress",
      params: { progressToken: "lifecycle", progress: 1, total: 1 },
    },
    { type: "result", result: expect.objectContaining({ structuredContent: { count: 1 } }) },
  ]);
});
// #endregion

// #region marbles
it("reports each bed when it was measured", () => {
  marbles(({ cold, expectCall }) => {
    const tool = surveyBeds(() => cold("--(d|)", { d: "dry" }));
    expectCall(tool, toolCall("survey_beds", { beds: ["roses", "herbs"] })).toEmit("--1-(2r|)", {
      1: { type: "progress", progress: 1, total: 2 },
      2: { type: "progress", progress: 2, total: 2 },
      r: { type: "result", result: { content: [{ type: "text", text: '["dry","dry"]' }] } },
    });
  });
});
// #endregion

// #region cancel
it("stops measuring when the client leaves", () => {
  marbles(({ cold, expectCall, expectSubscriptions }) => {
    const bed = cold("--(d|)");
    const call = toolCall("survey_beds", { beds: ["roses", "herbs", "lawn"] });
    expectCall(
      surveyBeds(() => bed),
      call,
      { subscription: "^--!" },
    )
      .toEmit("--1")
      .toAbort("---!");
    expectSubscriptions(bed).toBe(["^-!", "--^!"]);
  });
});
// #endregion

// #region slow
it("waits for a client that reads slowly, and loses nothing", async () => {
  const client = slowClient(importReadings);
  client.send(toolCall("import_readings", { count: 10_000 }));
  await client.read(3);
  await client.readAll();
  expect(client.updates).toHaveLength(10_000);
  expect(client.merged).toBe(0);
  expect(client.peak).toBeLessThan(64_000);
});
// #endregion

// #region leaving
it("stops when the client leaves", async () => {
  const client = leavingClient(importReadings, { afterMessages: 3 });
  client.send(toolCall("import_readings", { count: 1_000_000 }));
  await client.stopped();
  expect(client.received).toHaveLength(3);
  expect(client.aborted).toEqual([expect.any(Disconnected)]);
});
// #endregion

// #region timers
afterEach(() => void vi.useRealTimers());

it("reports each minute", async () => {
  vi.useFakeTimers();
  const client = connect(createMcpServer({ name: "garden", version: "1.0.0", tools: [sprinkle] }));
  const progress = collectProgress(client.streamTool("sprinkle", { minutes: 2 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(progress.all).toEqual([{ progress: 1, total: 2 }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await progress.waitForComplete()).toHaveLength(2);
});
// #endregion
