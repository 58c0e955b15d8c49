import { describe, expect, it } from "vitest";
import { checkLegacyMessage, checkLifecycle } from "./index.ts";

const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const response = (result: unknown, more: object = {}) => ({ jsonrpc: "2.0", id: 0, result, ...more });
const failure = (error: unknown) => ({ jsonrpc: "2.0", id: 0, error });
const question = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: "q", method, params });
const check = (message: unknown, version: string, method?: string) => () =>
  checkLegacyMessage(message, version, method === undefined ? undefined : { method });

const text = { content: [{ type: "text", text: "" }] };
const serverInfo = { name: "s", version: "1" };
const described = { tools: [{ name: "a", inputSchema: { type: "object" }, outputSchema: { type: "object" } }] };
const fieldsIn = (properties: object, more: object = {}) =>
  question("elicitation/create", { message: "?", requestedSchema: { type: "object", properties }, ...more });
const url = { mode: "url", message: "Go", url: "https://example.com/" };

describe.each(versions)("the oracle on %s", (version) => {
  it.each([
    ["ping", {}],
    ["initialize", { protocolVersion: version, capabilities: { tools: {} }, serverInfo }],
    ["tools/list", { tools: [{ name: "a", inputSchema: { type: "object" } }], nextCursor: "c" }],
    ["tools/call", { ...text, isError: true, _meta: { "a.b/c": 1 } }],
    ["resources/read", { contents: [{ uri: "a:b", text: "" }] }],
    ["prompts/get", { messages: [{ role: "user", content: { type: "text", text: "" } }] }],
    ["completion/complete", { completion: { values: ["a"], hasMore: false } }],
  ])("accepts %s with %j", (method, result) => {
    expect(check(response(result), version, method)).not.toThrow();
  });

  it.each([
    ["ping", { resultType: "complete" }],
    ["initialize", { protocolVersion: "2026-07-28", capabilities: {}, serverInfo }],
    ["initialize", { protocolVersion: version, capabilities: { logging: {} }, serverInfo }],
    ["initialize", { protocolVersion: version, capabilities: { resources: { subscribe: true } }, serverInfo }],
    ["initialize", { protocolVersion: version, capabilities: { tools: { listChanged: true } }, serverInfo }],
    ["initialize", { protocolVersion: version, capabilities: {} }],
    ["tools/list", { tools: [], ttlMs: 0 }],
    ["tools/list", { tools: [], cacheScope: "private" }],
    ["tools/call", { ...text, resultType: "complete" }],
    ["tools/call", { ...text, structuredContent: [1] }],
    ["tools/call", { ...text, _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } }],
    ["tools/call", { inputRequests: {}, requestState: "s" }],
    ["server/discover", { supportedVersions: [version], capabilities: {} }],
    ["subscriptions/listen", {}],
  ])("refuses %s with %j", (method, result) => {
    expect(check(response(result), version, method)).toThrow(/Expected/);
  });

  it("knows the errors of its time", () => {
    expect(check(failure({ code: -32002, message: "no", data: { uri: "a:b" } }), version)).not.toThrow();
    expect(check(failure({ code: -32603, message: "no" }), version)).not.toThrow();
    for (const code of [-32002, -32020, -32021, -32022, -32042]) {
      expect(check(failure({ code, message: "no" }), version)).toThrow(/Expected/);
    }
  });

  it("knows progress, and no other report", () => {
    const notify = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });
    expect(check(notify("notifications/progress", { progressToken: 0, progress: 1 }), version)).not.toThrow();
    expect(check(notify("notifications/progress", { progressToken: null, progress: 1 }), version)).toThrow();
    expect(check(notify("notifications/cancelled", { requestId: 1 }), version)).not.toThrow();
    expect(check(notify("notifications/message", { level: "info", data: "" }), version)).toThrow();
  });

  it("lets the client's model and roots be asked for", () => {
    const sampling = { messages: [{ role: "user", content: { type: "text", text: "" } }], maxTokens: 1 };
    expect(check(question("sampling/createMessage", sampling), version)).not.toThrow();
    expect(check(question("roots/list", {}), version)).not.toThrow();
    expect(check(question("tasks/list", {}), version)).toThrow();
  });

  it("has structured content as its revision does", () => {
    const isRefused = version < "2025-06-18";
    for (const [message, method] of [
      [response({ ...text, structuredContent: {} }), "tools/call"],
      [response(described), "tools/list"],
    ] as const) {
      if (isRefused) expect(check(message, version, method)).toThrow(/Expected/);
      else expect(check(message, version, method)).not.toThrow();
    }
  });

  it("has elicitation as its revision does", () => {
    const accepts = (message: object) => {
      try {
        checkLegacyMessage(message, version);
        return true;
      } catch {
        return false;
      }
    };
    const hasForms = version >= "2025-06-18";
    const hasModes = version >= "2025-11-25";
    expect(accepts(fieldsIn({ a: { type: "string" } }))).toBe(hasForms);
    expect(accepts(fieldsIn({ a: { type: "boolean", default: true } }))).toBe(hasForms);
    expect(accepts(fieldsIn({ a: { type: "string", enum: ["x"], enumNames: ["X"] } }))).toBe(hasForms && !hasModes);
    expect(accepts(fieldsIn({ a: { type: "string" } }, { mode: "form" }))).toBe(hasModes);
    expect(accepts(fieldsIn({ a: { type: "string", default: "x" } }))).toBe(hasModes);
    expect(accepts(fieldsIn({ a: { type: "string", oneOf: [{ const: "x", title: "X" }] } }))).toBe(hasModes);
    expect(accepts(question("elicitation/create", { ...url, elicitationId: "u" }))).toBe(hasModes);
    expect(accepts(question("elicitation/create", url))).toBe(false);
  });

  it("follows a request through its questions to its one response", () => {
    const request = { id: 0, method: "tools/call", progressToken: "", legacyVersion: version };
    const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "", progress: 1 } };
    const roots = question("roots/list", {});
    expect(() => checkLifecycle([progress, roots, response(text)], request)).not.toThrow();
    expect(() => checkLifecycle([progress, roots], request)).toThrow(/exactly one response/);
    expect(() => checkLifecycle([roots, response(text)], { id: 0, method: "tools/call" })).toThrow(/Expected/);
  });
});
