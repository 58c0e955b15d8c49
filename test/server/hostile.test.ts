import {
  Deadline,
  definePrompt,
  defineResource,
  defineTool,
  type McpElicitor,
  McpError,
  MissingCapabilityError,
} from "mcp-headway";
import { VirtualTimeScheduler } from "rxjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { hostile } from "../hostile.ts";
import { ask, callTool, errorOf, observe, resultOf, serverOf } from "./kit.ts";
import { legacy, turn } from "./legacy.ts";

const stray: unknown[] = [];
const keep = () => void stray.push("stray");

/** Errors that nobody catches end a process; here they are counted. */
beforeEach(() => {
  stray.length = 0;
  process.on("uncaughtException", keep);
  process.on("unhandledRejection", keep);
});
afterEach(async () => {
  await turn();
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off("uncaughtException", keep);
  process.off("unhandledRejection", keep);
  expect(stray).toEqual([]);
});

const eras = [
  ["the modern era", {}],
  ["the legacy era", legacy("2025-11-25")],
] as const;

describe.each(eras)("in %s, whatever is thrown ends the request: %s", (_era, known) => {
  it.each(hostile)("%s", async (_, make) => {
    const fail = (): never => {
      throw make();
    };
    const { server, diagnostics } = serverOf({
      tools: [
        defineTool({ name: "now", description: "d", handler: fail }),
        defineTool({ name: "later", description: "d", handler: async () => fail() }),
      ],
      prompts: [definePrompt({ name: "p", handler: fail })],
      resources: [defineResource({ uri: "a:1", name: "r", read: fail })],
    });
    for (const name of ["now", "later"]) {
      expect(resultOf(await ask(server, "tools/call", { name }, known))).toMatchObject({ isError: true });
    }
    expect(errorOf(await ask(server, "prompts/get", { name: "p" }, known)).code).toBe(-32603);
    expect(errorOf(await ask(server, "resources/read", { uri: "a:1" }, known)).code).toBe(-32603);
    expect(diagnostics.map(({ type }) => type)).toEqual(new Array(4).fill("handler-failed"));
  });
});

it.each(hostile)("what is thrown after the end is a late result, whatever it is: %s", async (_, make) => {
  const scheduler = new VirtualTimeScheduler();
  let settle: (reason: unknown) => void = () => undefined;
  const tool = defineTool({
    name: "t",
    description: "d",
    handler: () => new Promise((_resolve, reject) => (settle = reject)),
  });
  const { server, diagnostics } = serverOf({ tools: [tool] }, { timeoutMs: 10, scheduler });
  const { end } = observe(server, { params: { name: "t" } });
  scheduler.flush();
  expect(resultOf(await end)).toMatchObject({ content: [{ text: new Deadline(10).message }] });
  settle(make());
  await turn();
  expect(diagnostics.map(({ type }) => type)).toEqual(["late-result"]);
});

it.each(hostile)("data of a resource's error may be anything: %s", async (_, make) => {
  const read = (): never => {
    throw new McpError(-32602, "no", make());
  };
  const { server } = serverOf({ resources: [defineResource({ uri: "a:1", name: "r", read })] });
  const { end } = observe(server, { method: "resources/read", params: { uri: "a:1" } }, legacy("2025-11-25"));
  expect(errorOf(await end)).toMatchObject({ code: -32602, message: "no" });
});

describe.each(eras)("in %s, what runs once may throw anything: %s", (_era, known) => {
  it.each(hostile)("%s", async (_, make) => {
    const handler = (_args: unknown, ctx: McpElicitor) => ctx.once("k", () => Promise.reject(make()));
    const { server } = serverOf({ tools: [defineTool({ name: "t", description: "d", handler })] });
    expect(resultOf(await ask(server, "tools/call", { name: "t" }, known))).toMatchObject({ isError: true });
  });
});

it.each(hostile)("what a question is made of may throw anything: %s", async (_, make) => {
  const params = {
    get mode() {
      throw make();
    },
  };
  const handler = (_args: unknown, ctx: McpElicitor) => ctx.requestInput({ method: "elicitation/create", params });
  for (const [, known] of eras) {
    const { server } = serverOf({ tools: [defineTool({ name: "t", description: "d", handler })] });
    const capabilities = { elicitation: { form: {}, url: {} } };
    const event = await ask(server, "tools/call", { name: "t" }, { ...known, client: { capabilities } });
    expect(resultOf(event)).toMatchObject({ isError: true });
  }
});

it("an error of ours with a message that throws is told without it", async () => {
  const fail = (): never => {
    throw Object.defineProperty(new MissingCapabilityError({}), "message", { get: () => 5n });
  };
  const { server } = serverOf({
    tools: [defineTool({ name: "t", description: "d", inputSchema: z.object({}), handler: fail })],
  });
  expect(await ask(server, "tools/call", { name: "t" }, legacy("2025-11-25"))).toMatchObject({ type: "result" });
  expect(await callTool(server, "t")).toMatchObject({ type: "error" });
});
