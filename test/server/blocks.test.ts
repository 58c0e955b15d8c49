import { definePrompt, defineResource, defineTool } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, callTool, errorOf, resultOf, serverOf } from "./kit.ts";

async function callWith(value: unknown, outputSchema?: z.ZodType) {
  const tool = defineTool({ name: "t", description: "d", outputSchema, handler: () => value as object });
  const { server, diagnostics } = serverOf({ tools: [tool] });
  return { result: resultOf(await callTool(server, "t")), diagnostics };
}

const blocks = [
  { type: "text", text: "done" },
  { type: "image", data: "AA==", mimeType: "image/png" },
  { type: "audio", data: "AA==", mimeType: "audio/wav" },
  { type: "resource_link", uri: "a:b", name: "b" },
  { type: "resource", resource: { uri: "a:b", text: "x" } },
  { type: "resource", resource: { uri: "a:b", blob: "AA==" } },
];

describe("a value with a `content`", () => {
  it("goes out as it is when its blocks are the protocol's", async () => {
    const { result, diagnostics } = await callWith({ content: blocks });
    expect(result).toMatchObject({ content: blocks });
    expect(diagnostics).toEqual([]);
  });

  it.each([
    [{ title: "A", content: ["one", "two"] }],
    [{ title: "A", content: [{ heading: "one" }] }],
    [{ content: "one" }],
  ])("is a value like any other when it means something else: %j", async (value) => {
    const { result, diagnostics } = await callWith(value);
    const content = [{ type: "text", text: JSON.stringify(value) }];
    expect(result).toMatchObject({ content, structuredContent: value });
    expect(diagnostics).toEqual([]);
  });

  it.each([
    [
      { type: "txt", text: "x" },
      '`content[1].type` to be one of text, image, audio, resource_link, resource, got "txt"',
    ],
    [{ type: "text", text: 1 }, "`content[1].text` to be a string, got 1"],
    [{ type: "image", data: "AA==" }, "`content[1].mimeType` to be a string, got undefined"],
    [{ type: "resource_link", uri: "a:b" }, "`content[1].name` to be a string, got undefined"],
    [{ type: "resource" }, "`content[1].resource` to be an object, got undefined"],
    [{ type: "resource", resource: { uri: "a:b" } }, "`content[1].resource.text` to be a string, got undefined"],
    [
      { type: "resource", resource: { uri: "a:b", blob: [] } },
      "`content[1].resource.blob` to be a string, got an array",
    ],
  ])("is told when a block would make the client refuse it: %j", async (block, message) => {
    for (const more of [{}, { isError: true }, { structuredContent: {} }]) {
      const { result, diagnostics } = await callWith({ content: [blocks[0], block], ...more }, schemaOf(more));
      const text = "The handler returned content that is not in the protocol's form";
      expect(result).toMatchObject({ isError: true, content: [{ type: "text", text }] });
      expect(diagnostics).toMatchObject([
        { type: "invalid-output", handlerName: "t", cause: { message: `Expected ${message}` } },
      ]);
    }
  });
});

const schemaOf = (more: object) => ("structuredContent" in more ? z.object({}) : undefined);

describe("a prompt's messages", () => {
  async function get(messages: unknown) {
    const prompt = definePrompt({ name: "p", handler: () => messages as [] });
    const { server, diagnostics } = serverOf({ prompts: [prompt] });
    return { event: await ask(server, "prompts/get", { name: "p" }), diagnostics };
  }

  it("may hold every kind of block", async () => {
    const messages = blocks.map((content) => ({ role: "assistant", content }));
    expect(resultOf((await get(messages)).event)).toMatchObject({ messages });
  });

  it.each([
    [[{ role: "user", content: "x" }], '`messages[0].content` to be an object, got "x"'],
    [[{ role: "system", content: blocks[0] }], '`messages[0].role` to be user or assistant, got "system"'],
    [[{ role: "user", content: { type: "text" } }], "`messages[0].content.text` to be a string, got undefined"],
  ])("are told when a client would refuse them: %j", async (messages, message) => {
    for (const value of [messages, { messages }]) {
      const { event, diagnostics } = await get(value);
      expect(errorOf(event).code).toBe(-32603);
      expect(diagnostics).toMatchObject([{ type: "invalid-output", cause: { message: `Expected ${message}` } }]);
    }
  });
});

describe("a resource's contents", () => {
  async function read(contents: unknown) {
    const resource = defineResource({ uri: "a:b", name: "r", read: () => ({ contents }) as { contents: [] } });
    const { server, diagnostics } = serverOf({ resources: [resource] });
    return { event: await ask(server, "resources/read", { uri: "a:b" }), diagnostics };
  }

  it("may be texts and blobs, or none", async () => {
    for (const contents of [
      [],
      [
        { uri: "a:b", text: "x" },
        { uri: "a:c", blob: "AA==" },
      ],
    ]) {
      expect(resultOf((await read(contents)).event)).toMatchObject({ contents });
    }
  });

  it.each([
    [["x"], '`contents[0]` to be an object, got "x"'],
    [[{ text: "x" }], "`contents[0].uri` to be a string, got undefined"],
    [[{ uri: "a:b", text: 1 }], "`contents[0].text` to be a string, got 1"],
  ])("are told when a client would refuse them: %j", async (contents, message) => {
    const { event, diagnostics } = await read(contents);
    expect(errorOf(event).code).toBe(-32603);
    expect(diagnostics).toMatchObject([{ type: "invalid-output", cause: { message: `Expected ${message}` } }]);
  });
});
