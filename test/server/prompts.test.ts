import { definePrompt, McpError } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const get = (server: Parameters<typeof ask>[0], name: string, args?: unknown) =>
  ask(server, "prompts/get", args === undefined ? { name } : { name, arguments: args });
const returning = (value: unknown) => definePrompt({ name: "p", handler: () => value as string });
const valueEvent = async (value: unknown) => {
  const { server, diagnostics } = serverOf({ prompts: [returning(value)] });
  return { event: await get(server, "p"), diagnostics };
};

describe("a prompt's value", () => {
  it("is one message of the user when it is a string", async () => {
    expect(resultOf((await valueEvent("hello")).event)).toEqual({
      messages: [{ role: "user", content: { type: "text", text: "hello" } }],
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "help-desk", version: "1.0.0" } },
    });
  });

  const messages = [{ role: "assistant", content: { type: "text", text: "yes?" } }];
  it("is the messages when it is an array of them", async () => {
    expect(resultOf((await valueEvent(messages)).event)).toMatchObject({ messages });
  });

  it("is the result when it has an array of messages", async () => {
    expect(resultOf((await valueEvent({ messages, description: "d" })).event)).toMatchObject({
      messages,
      description: "d",
    });
  });

  it.each([[undefined], [7], [["text"]], [{}]])("cannot be %j", async (value) => {
    const { event, diagnostics } = await valueEvent(value);
    expect(errorOf(event)).toEqual({ code: -32603, message: "Internal error" });
    expect(diagnostics).toMatchObject([{ type: "invalid-output", method: "prompts/get", handlerName: "p" }]);
  });
});

describe("a prompt's arguments", () => {
  const greet = definePrompt({
    name: "greet",
    argsSchema: z.object({ name: z.string().min(2), times: z.coerce.number().default(1) }),
    handler: ({ name, times }) => `${name} ${times + 1}`,
  });
  const { server } = serverOf({ prompts: [greet, returning("ok")] });

  it("arrive as the schema made them", async () => {
    expect(resultOf(await get(server, "greet", { name: "Ann", times: "2" }))).toMatchObject({
      messages: [{ content: { text: "Ann 3" } }],
    });
  });

  it.each([
    ["that fail the schema", { name: "A" }],
    ["that are missing", {}],
    ["that are no strings", { name: 7 }],
    ["that are an array", []],
    ["that are null", null],
  ])("%s give -32602", async (_, args) => {
    expect(errorOf(await get(server, "greet", args)).code).toBe(-32602);
  });

  it("are not taken by a prompt that declares none", async () => {
    expect(errorOf(await get(server, "p", { a: "b" })).code).toBe(-32602);
    expect(resultOf(await get(server, "p", {}))).toHaveProperty("messages");
  });

  it.each(["nothing", "constructor", "__proto__"])("for the unknown prompt %s give -32602", async (name) => {
    expect(errorOf(await get(server, name)).code).toBe(-32602);
  });
});

describe("a prompt that throws", () => {
  const run = async (error: unknown) => {
    const prompt = definePrompt({ name: "p", handler: () => Promise.reject(error) });
    const { server, diagnostics } = serverOf({ prompts: [prompt] });
    return { error: errorOf(await get(server, "p")), diagnostics };
  };

  it("is an internal error that tells nothing; diagnostics get it whole", async () => {
    const cause = new Error("secret");
    const { error, diagnostics } = await run(cause);
    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", cause }]);
  });

  it("gives that JSON-RPC error when it throws an McpError", async () => {
    expect((await run(new McpError(7, "seven"))).error).toEqual({ code: 7, message: "seven" });
  });
});
