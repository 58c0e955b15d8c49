import { from, Observable } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { type Dispatch, type RequestEvent, untilTerminal } from "../../src/events/index.ts";
import { createMcpServer, defineTool } from "../../src/server/index.ts";
import { type LifecycleEntry, recordLifecycle } from "../../src/testing/index.ts";

const server = createMcpServer(
  {
    name: "desk",
    version: "1.0.0",
    tools: [
      defineTool({
        name: "import",
        description: "Imports rows",
        inputSchema: z.object({ rows: z.number().int() }),
        handler: ({ rows }, ctx) => {
          const progress = ctx.countingProgress(rows);
          for (let row = 1; row <= rows; row++) progress.emit();
          return { rows };
        },
      }),
      defineTool({
        name: "whoami",
        description: "Who asks",
        handler: (_args, { principal, client, listening }) => ({ principal, client, listening }),
      }),
      defineTool({
        name: "greet",
        description: "Greets",
        handler: async (_args, ctx) => {
          ctx.progress(1);
          const { content } = await ctx.elicit("Your name?", z.object({ name: z.string() }), { key: "who" });
          return `Hello ${content?.name}`;
        },
      }),
      defineTool({ name: "later", description: "Takes its time", handler: (_args, ctx) => ctx.later() }),
    ],
  },
  { requestState: { keys: [{ id: "test", secret: new Uint8Array(32) }] } },
);
const call = { method: "tools/call", params: { name: "import", arguments: { rows: 2 } } };
const answer = { type: "result", result: expect.objectContaining({ structuredContent: { rows: 2 } }) };
const frame = (progressToken: unknown, progress: number) => ({
  type: "notification",
  method: "notifications/progress",
  params: { progressToken, progress, total: 2 },
});

describe("recordLifecycle", () => {
  it("records the token, every notification and the result, in order", async () => {
    expect(await recordLifecycle(server, call)).toEqual([
      { type: "token", progressToken: "lifecycle" },
      frame("lifecycle", 1),
      frame("lifecycle", 2),
      answer,
    ]);
  });

  it.each([0, "", 7, "7"])("uses the token %j as it is", async (progressToken) => {
    expect(await recordLifecycle(server, { ...call, progressToken })).toStrictEqual([
      { type: "token", progressToken },
      frame(progressToken, 1),
      frame(progressToken, 2),
      answer,
    ]);
  });

  it("records the result alone when no progress is asked for", async () => {
    expect(await recordLifecycle(server, { ...call, progressToken: null })).toEqual([answer]);
  });

  it("records a JSON-RPC error as the end", async () => {
    expect(await recordLifecycle(server, { method: "no/such" })).toEqual([
      { type: "token", progressToken: "lifecycle" },
      { type: "error", error: expect.objectContaining({ code: -32601 }) },
    ]);
  });

  it("says who asks and what it can do", async () => {
    const options = { principal: "ann", clientInfo: { name: "n", version: "1" }, capabilities: { roots: {} } };
    const [, result] = await recordLifecycle(server, { method: "tools/call", params: { name: "whoami" } }, options);
    const { structuredContent } = result?.type === "result" ? result.result : {};
    expect(structuredContent).toEqual({
      principal: "ann",
      client: { info: options.clientInfo, capabilities: options.capabilities },
      listening: true,
    });
  });

  it("takes a bare dispatch and shows what wrongly follows the end", async () => {
    const events: RequestEvent[] = [
      { type: "result", result: {} },
      { type: "progress", progress: 1 },
    ];
    expect(await recordLifecycle(() => from(events), { method: "x" })).toEqual([
      { type: "token", progressToken: "lifecycle" },
      { type: "result", result: {} },
      { type: "notification", method: "notifications/progress", params: { progressToken: "lifecycle", progress: 1 } },
    ]);
  });

  it("records the end of a round as what it is, and a retry as a request of its own", async () => {
    const params = { name: "greet", arguments: {} };
    const capabilities = { elicitation: { form: {} } };
    const first = await recordLifecycle(server, { method: "tools/call", params }, { capabilities });
    const question = { method: "elicitation/create", params: expect.objectContaining({ message: "Your name?" }) };
    const result = expect.objectContaining({
      resultType: "input_required",
      inputRequests: { who: question },
      requestState: expect.any(String),
    });
    expect(first).toEqual([
      { type: "token", progressToken: "lifecycle" },
      { type: "notification", method: "notifications/progress", params: { progressToken: "lifecycle", progress: 1 } },
      { type: "input-required", result },
    ]);
    const end = first.at(-1);
    const requestState = end?.type === "input-required" ? end.result.requestState : undefined;
    const inputResponses = { who: { action: "accept", content: { name: "Ann" } } };
    const retry = { method: "tools/call", params: { ...params, inputResponses, requestState } };
    expect(await recordLifecycle(server, retry, { capabilities })).toEqual([
      { type: "token", progressToken: "lifecycle" },
      { type: "result", result: expect.objectContaining({ content: [{ type: "text", text: "Hello Ann" }] }) },
    ]);
  });

  it("records the end of a round that asks nothing", async () => {
    expect(
      await recordLifecycle(server, { method: "tools/call", params: { name: "later" }, progressToken: null }),
    ).toEqual([
      {
        type: "input-required",
        result: { resultType: "input_required", requestState: expect.any(String), _meta: expect.anything() },
      },
    ]);
  });

  it("leaves no request behind", async () => {
    let running = 0;
    const dispatch: Dispatch = () =>
      new Observable<RequestEvent>((subscriber) => {
        running++;
        subscriber.next({ type: "result", result: {} });
        return () => {
          running--;
        };
      }).pipe(untilTerminal());
    await recordLifecycle(dispatch, { method: "x" });
    expect(running).toBe(0);
  });

  it("has types", () => {
    expectTypeOf(recordLifecycle).returns.toEqualTypeOf<Promise<readonly LifecycleEntry[]>>();
    expectTypeOf<LifecycleEntry["type"]>().toEqualTypeOf<
      "token" | "notification" | "result" | "input-required" | "error"
    >();
  });
});
