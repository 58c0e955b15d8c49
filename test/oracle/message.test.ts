import { describe, expect, it } from "vitest";
import { checkServerMessage } from "./index.ts";

const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } };
const complete = { resultType: "complete", _meta: serverInfo };
const cacheable = { ...complete, ttlMs: 0, cacheScope: "private" };
const response = (result: unknown, more: object = {}) => ({ jsonrpc: "2.0", id: 1, result, ...more });
const failure = (error: unknown, more: object = {}) => ({ jsonrpc: "2.0", id: 1, error, ...more });
const notification = (method: string, params: unknown) => ({ jsonrpc: "2.0", method, params });
const progress = (params: object) =>
  notification("notifications/progress", { progressToken: 0, progress: 1, ...params });
const delivered = { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } };
const read = (result: unknown, method?: string) => () =>
  checkServerMessage(response(result), method === undefined ? undefined : { method });
const form = {
  method: "elicitation/create",
  params: { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } },
};
const url = { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://example.com/" } };
const input = { resultType: "input_required", _meta: serverInfo };

describe("the oracle on notifications", () => {
  it.each([
    progress({}),
    progress({ progressToken: "", progress: -0.5, total: 0, message: "" }),
    notification("notifications/subscriptions/acknowledged", { ...delivered, notifications: {} }),
    notification("notifications/subscriptions/acknowledged", {
      ...delivered,
      notifications: { resourceSubscriptions: ["a:b"] },
    }),
    notification("notifications/resources/updated", { ...delivered, uri: "a:b" }),
  ])("accepts %j", (message) => {
    expect(() => checkServerMessage(message)).not.toThrow();
  });

  it.each([
    progress({ total: null }),
    progress({ message: null }),
    progress({ progress: "1" }),
    progress({ progress: null }),
    progress({ progressToken: null }),
    progress({ progressToken: 1.5 }),
    progress({ _meta: {} }),
    progress({ extra: 1 }),
    { ...progress({}), id: 1 },
    { ...progress({}), jsonrpc: "1.0" },
    notification("notifications/progress", undefined),
    notification("notifications/message", { level: "info", data: "x" }),
    notification("elicitation/create", {}),
    notification("notifications/subscriptions/acknowledged", { notifications: {} }),
    notification("notifications/subscriptions/acknowledged", { ...delivered, notifications: { unknown: true } }),
    notification("notifications/resources/updated", { uri: "a:b" }),
    notification("notifications/resources/updated", delivered),
  ])("refuses %j", (message) => {
    expect(() => checkServerMessage(message)).toThrow(/Expected/);
  });
});

describe("the oracle on errors", () => {
  it.each([
    failure({ code: -32601, message: "no" }),
    failure({ code: -32602, message: "no", data: { uri: "x" } }),
    failure({ code: 42, message: "" }),
    failure({ code: -32021, message: "no", data: { requiredCapabilities: { elicitation: {} } } }),
    failure({ code: -32022, message: "no", data: { supported: ["2026-07-28"], requested: "x" } }),
    { jsonrpc: "2.0", error: { code: -32700, message: "no" } },
  ])("accepts %j", (message) => {
    expect(() => checkServerMessage(message)).not.toThrow();
  });

  it.each([
    failure({ code: 1.5, message: "no" }),
    failure({ code: -32042, message: "no" }),
    failure({ code: -32002, message: "no" }),
    failure({ code: -32601 }),
    failure({ code: -32601, message: "no", stack: "at" }),
    failure({ code: -32021, message: "no" }),
    failure({ code: -32021, message: "no", data: { elicitation: {} } }),
    failure({ code: -32022, message: "no", data: { supported: [], requested: "x" } }),
    failure({ code: -32022, message: "no", data: { supported: ["2026-07-28"] } }),
    failure({ code: -32601, message: "no" }, { id: null }),
    failure({ code: -32601, message: "no" }, { result: {} }),
  ])("refuses %j", (message) => {
    expect(() => checkServerMessage(message)).toThrow(/Expected/);
  });

  it("says what is wrong and where", () => {
    const message = failure({ code: -32021, message: "no", data: {} });
    expect(() => checkServerMessage(message)).toThrow(/error\.data\.requiredCapabilities/);
  });
});

describe("the oracle on results", () => {
  it.each([
    ["server/discover", { ...cacheable, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }],
    ["tools/list", { ...cacheable, tools: [{ name: "a", inputSchema: { type: "object" } }], nextCursor: "c" }],
    ["prompts/list", { ...cacheable, prompts: [{ name: "a" }] }],
    ["resources/list", { ...cacheable, resources: [{ name: "a", uri: "a:b" }] }],
    ["resources/templates/list", { ...cacheable, resourceTemplates: [{ name: "a", uriTemplate: "a:{b}" }] }],
    ["resources/read", { ...cacheable, contents: [{ uri: "a:b", text: "" }] }],
    ["tools/call", { ...complete, content: [{ type: "text", text: "" }], structuredContent: 5, isError: false }],
    ["prompts/get", { ...complete, messages: [{ role: "user", content: { type: "text", text: "" } }] }],
    ["completion/complete", { ...complete, completion: { values: ["a"], hasMore: false } }],
    ["subscriptions/listen", { ...complete, _meta: { ...serverInfo, ...delivered._meta } }],
    ["tools/call", { ...input, requestState: "s" }],
    ["prompts/get", { ...input, inputRequests: { a: form, b: url, c: { method: "roots/list" } } }],
    [undefined, { ...cacheable, anything: 1 }],
  ])("accepts %s with %j", (method, result) => {
    expect(read(result, method)).not.toThrow();
  });

  it.each([
    ["server/discover", { ...complete, supportedVersions: ["2026-07-28"], capabilities: {} }],
    ["server/discover", { ...cacheable, supportedVersions: [], capabilities: {} }],
    ["server/discover", { ...cacheable, supportedVersions: ["2026-07-28"], capabilities: { unknown: {} } }],
    ["tools/list", { ...complete, tools: [] }],
    ["tools/list", { ...cacheable, ttlMs: -1, tools: [] }],
    ["tools/list", { ...cacheable, cacheScope: "shared", tools: [] }],
    ["tools/list", { ...cacheable, tools: [], nextCursor: null }],
    ["tools/list", { ...cacheable, tools: [{ name: "a", inputSchema: { type: "string" } }] }],
    ["resources/read", { ...complete, contents: [] }],
    ["tools/call", { content: [], _meta: serverInfo }],
    ["tools/call", { ...complete, _meta: {}, content: [] }],
    ["tools/call", { resultType: "complete", content: [] }],
    ["tools/call", { ...complete }],
    ["tools/call", { ...cacheable, content: [] }],
    ["tools/call", { ...complete, resultType: "done", content: [] }],
    ["tools/call", { ...complete, content: [{ type: "text" }] }],
    ["completion/complete", { ...complete, completion: { values: Array(101).fill("a") } }],
    ["subscriptions/listen", complete],
    ["subscriptions/listen", { ...complete, _meta: { ...serverInfo, "io.modelcontextprotocol/subscriptionId": "1" } }],
    ["tools/call", input],
    ["tools/call", { ...input, inputRequests: {} }],
    ["tools/call", { ...input, inputRequests: {}, requestState: "s" }],
    ["tools/call", { ...input, requestState: 5 }],
    ["tools/call", { ...input, requestState: "s", ttlMs: 0 }],
    ["tools/call", { ...input, inputRequests: { a: { method: "ping" } } }],
    ["tools/call", { ...input, inputRequests: { a: { ...url, params: { mode: "url", message: "Go" } } } }],
    ["tools/list", { ...input, requestState: "s" }],
    ["tools/unknown", complete],
    [undefined, {}],
  ])("refuses %s with %j", (method, result) => {
    expect(read(result, method)).toThrow(/Expected/);
  });

  it.each([null, [], 5, "text", {}, response(complete, { id: null }), response([]), response(complete, { extra: 1 })])(
    "refuses the message %j",
    (message) => {
      expect(() => checkServerMessage(message)).toThrow(/Expected/);
    },
  );
});
