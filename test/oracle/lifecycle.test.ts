import { describe, expect, it } from "vitest";
import { checkLifecycle } from "./index.ts";

const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } };
const subscription = { "io.modelcontextprotocol/subscriptionId": "l" };
const call = { id: 1, method: "tools/call", progressToken: 7 };
const listen = { id: "l", method: "subscriptions/listen" };

const progress = (value: number, progressToken: unknown = 7) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken, progress: value },
});
const result = { jsonrpc: "2.0", id: 1, result: { resultType: "complete", _meta: serverInfo, content: [] } };
const error = { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } };
const acknowledged = {
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: { _meta: subscription, notifications: {} },
};
const updated = {
  jsonrpc: "2.0",
  method: "notifications/resources/updated",
  params: { _meta: subscription, uri: "a:b" },
};
const ended = {
  jsonrpc: "2.0",
  id: "l",
  result: { resultType: "complete", _meta: { ...serverInfo, ...subscription } },
};

describe("the oracle on a whole exchange", () => {
  it.each([
    ["a result alone", [result]],
    ["an error alone", [error]],
    ["rising progress before the result", [progress(-1), progress(0), progress(0.5), result]],
    ["progress before an error", [progress(1), error]],
  ])("accepts %s", (_, messages) => {
    expect(() => checkLifecycle(messages, call)).not.toThrow();
  });

  it.each([
    ["no messages", []],
    ["no response", [progress(1)]],
    ["two responses", [result, error]],
    ["progress after the result", [progress(1), result, progress(2)]],
    ["equal progress", [progress(1), progress(1), result]],
    ["falling progress", [progress(2), progress(1), result]],
    ["the token with another type", [progress(1, "7"), result]],
    ["another request's token", [progress(1, 8), result]],
    ["another request's id", [{ ...result, id: 2 }]],
    ["the id with another type", [{ ...result, id: "1" }]],
    ["no id", [{ jsonrpc: "2.0", error: error.error }]],
    ["a malformed message", [{ ...progress(1), extra: 1 }, result]],
    ["a subscription's message", [acknowledged, result]],
  ])("refuses %s", (_, messages) => {
    expect(() => checkLifecycle(messages, call)).toThrow(/Expected/);
  });

  it("counts the responses", () => {
    expect(() => checkLifecycle([result, error], call)).toThrow(/exactly one response, got 2/);
    expect(() => checkLifecycle([progress(1)], call)).toThrow(/exactly one response, got 0/);
  });

  it("says that something follows the response", () => {
    expect(() => checkLifecycle([progress(1), result, progress(2)], call)).toThrow(/nothing after the response/);
  });

  it("refuses progress that nobody asked for", () => {
    const { progressToken, ...silent } = call;
    expect(() => checkLifecycle([result], silent)).not.toThrow();
    expect(() => checkLifecycle([progress(1, progressToken), result], silent)).toThrow(/token/);
  });

  it("accepts a subscription that is acknowledged first", () => {
    expect(() => checkLifecycle([acknowledged, updated, updated, ended], listen)).not.toThrow();
    expect(() => checkLifecycle([acknowledged, ended], listen)).not.toThrow();
  });

  it.each([
    ["is not acknowledged", [updated, ended]],
    ["is acknowledged late", [updated, acknowledged, ended]],
    ["is acknowledged twice", [acknowledged, acknowledged, ended]],
    [
      "names another subscription",
      [
        acknowledged,
        { ...updated, params: { ...updated.params, _meta: { "io.modelcontextprotocol/subscriptionId": "m" } } },
        ended,
      ],
    ],
  ])("refuses a subscription that %s", (_, messages) => {
    expect(() => checkLifecycle(messages, listen)).toThrow(/Expected/);
  });
});
