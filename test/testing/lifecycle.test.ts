import { from, Observable } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Dispatch, RequestEvent } from "../../src/events/index.ts";
import { createMcpServer, defineTool } from "../../src/server/index.ts";
import { type LifecycleEntry, recordLifecycle } from "../../src/testing/index.ts";

const server = createMcpServer({
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
  ],
});
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

  it("leaves no request behind", async () => {
    let running = 0;
    const dispatch: Dispatch = () =>
      new Observable((subscriber) => {
        running++;
        subscriber.next({ type: "result", result: {} });
        return () => {
          running--;
        };
      });
    await recordLifecycle(dispatch, { method: "x" });
    expect(running).toBe(0);
  });

  it("has types", () => {
    expectTypeOf(recordLifecycle).returns.toEqualTypeOf<Promise<readonly LifecycleEntry[]>>();
    expectTypeOf<LifecycleEntry["type"]>().toEqualTypeOf<"token" | "notification" | "result" | "error">();
  });
});
