import { definePrompt, defineResource, defineTool } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const tool = defineTool({ name: "t", description: "d", handler: () => undefined });
const prompt = definePrompt({ name: "p", handler: () => "x" });
const resource = defineResource({ uri: "a:b", name: "r", read: () => "x" });
const family = defineResource({ uriTemplate: "a:{b}", name: "f", read: () => "x" });
const completing = definePrompt({
  name: "p",
  argsSchema: z.object({ a: z.string() }),
  complete: { a: () => [] },
  handler: () => "x",
});

const methodsOf = {
  tools: ["tools/list", "tools/call"],
  prompts: ["prompts/list", "prompts/get"],
  resources: ["resources/list", "resources/templates/list", "resources/read"],
  completions: ["completion/complete"],
};

describe("server/discover", () => {
  it("says who the server is and what it speaks", async () => {
    const { server } = serverOf(
      { title: "Help desk", description: "d", websiteUrl: "https://example.com", instructions: "Be kind" },
      { ttlMs: 5, cacheScope: "public" },
    );
    expect(resultOf(await ask(server, "server/discover"))).toEqual({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: {},
      instructions: "Be kind",
      ttlMs: 5,
      cacheScope: "public",
      _meta: {
        "io.modelcontextprotocol/serverInfo": {
          name: "help-desk",
          version: "1.0.0",
          title: "Help desk",
          description: "d",
          websiteUrl: "https://example.com",
        },
      },
    });
  });

  it.each([
    ["nothing", {}, {}],
    ["a tool", { tools: [tool] }, { tools: {} }],
    ["a prompt", { prompts: [prompt] }, { prompts: {} }],
    ["a resource", { resources: [resource] }, { resources: { subscribe: true } }],
    ["a template", { resources: [family] }, { resources: { subscribe: true } }],
    ["a completer", { prompts: [completing] }, { prompts: {}, completions: {} }],
  ])("with %s declares exactly that, and other methods are -32601", async (_, offers, capabilities) => {
    const { server } = serverOf(offers);
    expect(resultOf(await ask(server, "server/discover")).capabilities).toEqual(capabilities);
    for (const [capability, methods] of Object.entries(methodsOf)) {
      for (const method of methods) {
        const event = await ask(server, method, { cursor: 1, notifications: 1 });
        const refused = event.type === "error" && event.error.code === -32601;
        expect([method, refused]).toEqual([method, !(capability in capabilities)]);
      }
    }
  });

  it.each(["initialize", "ping", "resources/subscribe", "logging/setLevel", "toString", "__proto__", ""])(
    "does not make %j a method",
    async (method) => {
      const { server } = serverOf({ tools: [tool], prompts: [completing], resources: [resource] });
      expect(errorOf(await ask(server, method)).code).toBe(-32601);
    },
  );
});
