import {
  createMcpServer,
  definePrompt,
  defineResource,
  defineTool,
  type McpServer,
  type ServerOptions,
} from "mcp-headway";
import { describe, expect, it } from "vitest";
import type { Servable } from "../../src/events/index.ts";
import { observe, resultOf } from "./kit.ts";

const tool = defineTool({ name: "t", description: "d", handler: () => "x" });
const prompt = definePrompt({ name: "p", handler: () => "x" });
const resource = defineResource({ uri: "a:b", name: "r", read: () => "x" });
const family = defineResource({ uriTemplate: "a:{b}", name: "r", read: () => "x" });
const named = { name: "n", version: "1" };

describe("createMcpServer", () => {
  it("makes what a carrier takes", () => {
    const server: Servable = createMcpServer(named);
    expect(server.dispatch).toBeTypeOf("function");
  });

  it.each([
    ["burst", { cadence: { burst: 0, intervalMs: 1 } }],
    ["intervalMs", { cadence: { burst: 1, intervalMs: 0 } }],
    ["pageSize", { pageSize: 0 }],
    ["pageSize", { pageSize: 1.5 }],
    ["ttlMs", { ttlMs: -1 }],
    ["cacheScope", { cacheScope: "all" as "public" }],
    ["timeoutMs", { timeoutMs: 0 }],
    ["timeoutMs", { timeoutMs: Number.POSITIVE_INFINITY }],
    ["closeGraceMs", { closeGraceMs: -1 }],
  ] satisfies [string, ServerOptions][])("refuses a bad %s: %j", (option, options) => {
    expect(() => createMcpServer(named, options)).toThrow(option);
    expect(() => createMcpServer(named, {})).not.toThrow();
  });

  it("needs a name and a version", () => {
    expect(() => createMcpServer({ name: "", version: "1" })).toThrow("`name`");
    expect(() => createMcpServer({ name: "n" } as unknown as typeof named)).toThrow("`version`");
  });

  it.each([
    ["a tool's name", { tools: [tool, tool] }, '"t" twice'],
    ["a prompt's name", { prompts: [prompt, prompt] }, '"p" twice'],
    ["a resource's URI", { resources: [resource, resource] }, '"a:b" twice'],
    ["a template", { resources: [family, family] }, '"a:{b}" twice'],
  ])("refuses %s that is used twice", (_, offers, message) => {
    expect(() => createMcpServer({ ...named, ...offers })).toThrow(message);
  });

  it("refuses what was not defined", () => {
    const plain = { name: "t", description: "d", handler: () => "x" } as unknown as typeof tool;
    expect(() => createMcpServer({ ...named, tools: [tool, plain] })).toThrow("`tools[1]` to be made by defineTool");
  });
});

describe("dispatch", () => {
  it("starts nothing before it is subscribed, and a run of its own for each subscriber", () => {
    let runs = 0;
    const counting = defineTool({ name: "t", description: "d", handler: () => String(++runs) });
    const server: McpServer = createMcpServer({ ...named, tools: [counting] });
    const first = observe(server, { params: { name: "t" } });
    const second = observe(server, { params: { name: "t" } });
    expect(runs).toBe(2);
    expect(resultOf(first.ended())).toMatchObject({ content: [{ text: "1" }] });
    expect(resultOf(second.ended())).toMatchObject({ content: [{ text: "2" }] });
  });
});
