import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { from, Observable, of, Subject, throwError } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { connect } from "../../src/client/index.ts";
import { McpError } from "../../src/errors.ts";
import type { RequestEvent } from "../../src/events/index.ts";
import type { ProgressUpdate } from "../../src/progress/index.ts";
import { createMcpServer, defineTool } from "../../src/server/index.ts";
import { type CollectedProgress, collectProgress, type ProgressCollector } from "../../src/testing/index.ts";
import { connectMemory } from "../../src/transports/index.ts";

const importRows = defineTool({
  name: "import",
  description: "Imports rows",
  inputSchema: z.object({ rows: z.number().int() }),
  handler: async ({ rows }, ctx) => {
    const progress = ctx.countingProgress(rows);
    for (let row = 1; row <= rows; row++) {
      progress.emit(`Row ${row}`);
      // The official client loses what comes in one turn with the result.
      await new Promise(setImmediate);
    }
    return { rows };
  },
});
const server = createMcpServer({ name: "desk", version: "1.0.0", tools: [importRows] });
const expected = [
  { progress: 1, total: 2, message: "Row 1" },
  { progress: 2, total: 2, message: "Row 2" },
];

/** The official client over the same in-process connection. */
async function officialClient(): Promise<Client> {
  const connection = connectMemory(server);
  const transport: Transport = {
    start: async () => {
      connection.messages.subscribe((text) => transport.onmessage?.(JSON.parse(text) as JSONRPCMessage));
    },
    send: async (message) => connection.send(JSON.stringify(message)),
    close: async () => connection.close(),
  };
  const client = new Client(
    { name: "official", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  return client;
}

describe("a collector made before the call", () => {
  it("has every update when a call of the in-process client resolves", async () => {
    const progress = collectProgress();
    await connect(server).callTool("import", { rows: 2 }, { onProgress: progress.onProgress });
    expect(progress.all).toStrictEqual(expected);
    expect(await progress.waitForComplete()).toBe(progress.all);
  });

  it("collects from the official client", async () => {
    const client = await officialClient();
    const progress = collectProgress();
    const call = client.callTool({ name: "import", arguments: { rows: 2 } }, { onprogress: progress.onProgress });
    expect(await progress.waitForComplete()).toStrictEqual(expected);
    await call;
    await client.close();
  });

  it("starts empty and grows in order", () => {
    const { all, onProgress } = collectProgress();
    expect(all).toEqual([]);
    onProgress({ progress: 1 });
    onProgress({ progress: 2, message: "" });
    expect(all).toEqual([{ progress: 1 }, { progress: 2, message: "" }]);
  });

  it("keeps nothing but what an update says", () => {
    const progress = collectProgress();
    progress.onProgress({ progress: 1, total: undefined, message: undefined, ...{ _meta: {} } });
    expect(progress.all).toStrictEqual([{ progress: 1 }]);
  });

  it.each([
    ["reaches its total", { progress: 2, total: 2 }],
    ["passes its total", { progress: 3, total: 2 }],
    ["has nothing to do", { progress: 0, total: 0 }],
  ])("is complete when an update %s", async (_how, last) => {
    const progress = collectProgress();
    const order: string[] = [];
    const complete = progress.waitForComplete().then((all) => {
      order.push("complete");
      return all;
    });
    progress.onProgress({ progress: -1, total: 2 });
    progress.onProgress({ progress: -0.5 });
    await Promise.resolve();
    order.push("last");
    progress.onProgress(last);
    expect(await complete).toEqual([{ progress: -1, total: 2 }, { progress: -0.5 }, last]);
    expect(order).toEqual(["last", "complete"]);
  });
});

describe("a collector of an observable", () => {
  it("starts the call at once and is complete with it", async () => {
    const progress = collectProgress(connect(server).streamTool("import", { rows: 2 }));
    expect(await progress.waitForComplete()).toStrictEqual(expected);
  });

  it("collects from the port itself", async () => {
    const events = of<RequestEvent[]>({ type: "progress", progress: 1 }, { type: "result", result: {} });
    const progress = collectProgress(events);
    expect(progress.all).toStrictEqual([{ progress: 1 }]);
    expect(await progress.waitForComplete()).toStrictEqual([{ progress: 1 }]);
  });

  it("collects bare updates", () => {
    expect(collectProgress(from(expected)).all).toStrictEqual(expected);
  });

  it("is not complete because a value reached its total", async () => {
    const source = new Subject<ProgressUpdate>();
    const progress = collectProgress(source);
    const complete = progress.waitForComplete();
    source.next({ progress: 1, total: 1 });
    await Promise.resolve();
    source.next({ progress: 2, total: 1 });
    source.complete();
    expect(await complete).toEqual([
      { progress: 1, total: 1 },
      { progress: 2, total: 1 },
    ]);
  });

  it("rejects with the error of the call, however late it is asked, and keeps what came before", async () => {
    const progress = collectProgress(connect(server).streamTool("unknown"));
    await expect(progress.waitForComplete()).rejects.toBeInstanceOf(McpError);
    await expect(progress.waitForComplete()).rejects.toBeInstanceOf(McpError);
    expect(progress.all).toEqual([]);
  });

  it("leaves no unhandled rejection when nobody waits", async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listener);
    collectProgress(throwError(() => new Error("nobody waits")));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listener);
    expect(unhandled).toEqual([]);
  });

  it("has types", () => {
    expectTypeOf(collectProgress()).toEqualTypeOf<ProgressCollector>();
    expectTypeOf(collectProgress(of({ progress: 1 }))).toEqualTypeOf<CollectedProgress>();
    expectTypeOf<CollectedProgress["all"]>().toEqualTypeOf<readonly ProgressUpdate[]>();
    // @ts-expect-error a string is no progress
    const wrong: () => CollectedProgress = () => collectProgress(new Observable<string>());
    expect(wrong).toBeTypeOf("function");
  });
});
