import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { type CallToolResult, connect, type GetPromptResult, type ReadResourceResult } from "../../src/client/index.ts";
import { Cancelled } from "../../src/errors.ts";
import {
  createMcpServer,
  definePrompt,
  defineResource,
  defineTool,
  type PromptResult,
  type ResourceResult,
  type ToolResult,
} from "../../src/server/index.ts";

let aborted: (reason: unknown) => void = () => undefined;
const server = createMcpServer({
  name: "desk",
  version: "1.0.0",
  tools: [
    defineTool({
      name: "count",
      description: "Counts",
      inputSchema: z.object({ to: z.number().int() }),
      handler: ({ to }, ctx) => {
        const progress = ctx.countingProgress(to);
        for (let i = 0; i < to; i++) progress.emit();
        return { listening: ctx.listening };
      },
    }),
    defineTool({
      name: "hang",
      description: "Hangs until it is cancelled",
      handler: (_args, ctx) =>
        new Promise(() => ctx.signal.addEventListener("abort", () => aborted(ctx.signal.reason))),
    }),
  ],
  prompts: [
    definePrompt({
      name: "greet",
      description: "Greets",
      argsSchema: z.object({ name: z.string() }),
      handler: ({ name }, ctx) => {
        ctx.progress(1, 1);
        return `Hello ${name}`;
      },
    }),
  ],
  resources: [
    defineResource({
      uri: "about:us",
      name: "about",
      read: (_uri, _variables, ctx) => {
        ctx.progress(0.5);
        return "us";
      },
    }),
  ],
});
const client = connect(server);

describe("a server of this library", () => {
  it("reports to a tool's caller that asks for it, and only to it", async () => {
    const values: number[] = [];
    const asked = await client.callTool("count", { to: 3 }, { onProgress: ({ progress }) => values.push(progress) });
    const silent = await client.callTool("count", { to: 3 });
    expect(values).toEqual([1, 2, 3]);
    expect([asked.structuredContent, silent.structuredContent]).toEqual([{ listening: true }, { listening: false }]);
  });

  it("ends a flood of updates with the last one, before the result", async () => {
    const values: number[] = [];
    await client.callTool("count", { to: 10_000 }, { onProgress: ({ progress }) => values.push(progress) });
    expect(values.at(-1)).toBe(10_000);
    expect(values.length).toBeLessThan(50);
  });

  it("reports from prompts and resources as well", async () => {
    const updates: unknown[] = [];
    const onProgress = (update: unknown) => updates.push(update);
    const prompt = await client.getPrompt("greet", { name: "Ann" }, { onProgress });
    const resource = await client.readResource("about:us", { onProgress });
    expect(prompt.messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ann" } }]);
    expect(resource.contents).toEqual([{ uri: "about:us", text: "us" }]);
    expect(updates).toEqual([{ progress: 1, total: 1 }, { progress: 0.5 }]);
  });

  it("tells a tool's own failure as a result, an unknown tool as an error", async () => {
    expect(await client.callTool("count", { to: "three" })).toMatchObject({ isError: true });
    await expect(client.callTool("no-such-tool")).rejects.toMatchObject({ code: -32602 });
  });

  it("tells the handler that its caller left", async () => {
    const reason = new Promise((resolve) => {
      aborted = resolve;
    });
    const controller = new AbortController();
    const call = client.callTool("hang", {}, { signal: controller.signal });
    controller.abort(new Error("too slow"));
    await expect(call).rejects.toThrow("too slow");
    expect(await reason).toEqual(new Cancelled("too slow"));
  });

  it("gives what the client's types say", () => {
    expectTypeOf<ToolResult["content"]>().toExtend<CallToolResult["content"]>();
    expectTypeOf<PromptResult["messages"]>().toExtend<GetPromptResult["messages"]>();
    expectTypeOf<ResourceResult["contents"]>().toExtend<ReadResourceResult["contents"]>();
  });
});
