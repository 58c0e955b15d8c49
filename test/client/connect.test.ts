import { getEventListeners } from "node:events";
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { firstValueFrom, lastValueFrom, type Observable, take, toArray } from "rxjs";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import {
  type CallToolResult,
  type Client,
  connect,
  type GetPromptResult,
  type ReadResourceResult,
  type ToolEvent,
} from "../../src/client/index.ts";
import { Cancelled, Deadline, Disconnected, McpError } from "../../src/errors.ts";
import type { Diagnostic, ProgressEvent } from "../../src/events/index.ts";
import type { ProgressUpdate } from "../../src/progress/index.ts";
import { done, openServer, progress, serverOf } from "./servable.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const text = (value: string) => ({ content: [{ type: "text", text: value }] });

afterEach(() => vi.useRealTimers());

describe("connect", () => {
  it("sends the modern envelope with every request", async () => {
    const server = openServer();
    const clientInfo = { name: "desk", version: "2.0.0" };
    const capabilities = { elicitation: { form: {} } };
    const client = connect(server, { clientInfo, capabilities, principal: "ann" });
    void client.callTool("a");
    void client.request("server/discover");
    expect(server.seen).toHaveLength(2);
    for (const { exchange } of server.seen) {
      expect(exchange).toMatchObject({
        era: "modern",
        protocolVersion: "2026-07-28",
        client: { info: clientInfo, capabilities },
        principal: "ann",
        deliversProgress: true,
      });
    }
  });

  it("says what it is and that it can do nothing, unless told otherwise", () => {
    const server = openServer();
    void connect(server).callTool("a");
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(server.seen[0]?.exchange.client).toEqual({ info: { name: "mcp-headway", version }, capabilities: {} });
  });

  it("sends each kind of request as the specification has it", () => {
    const server = openServer();
    const client = connect(server);
    void client.callTool("import", { rows: 3 });
    void client.callTool("bare");
    void client.getPrompt("greet", { name: "Ann" });
    void client.readResource("file:///a");
    void client.request("tools/list", { cursor: "c" });
    const sent = server.seen.map(({ request: { id, method, params } }) => {
      const { _meta, ...own } = params;
      return [id, method, own];
    });
    expect(sent).toEqual([
      [1, "tools/call", { name: "import", arguments: { rows: 3 } }],
      [2, "tools/call", { name: "bare" }],
      [3, "prompts/get", { name: "greet", arguments: { name: "Ann" } }],
      [4, "resources/read", { uri: "file:///a" }],
      [5, "tools/list", { cursor: "c" }],
    ]);
  });

  it("has types", () => {
    expectTypeOf<Client["callTool"]>().returns.toEqualTypeOf<Promise<CallToolResult>>();
    expectTypeOf<Client["getPrompt"]>().returns.toEqualTypeOf<Promise<GetPromptResult>>();
    expectTypeOf<Client["readResource"]>().returns.toEqualTypeOf<Promise<ReadResourceResult>>();
    expectTypeOf<Client["streamTool"]>().returns.toEqualTypeOf<Observable<ToolEvent>>();
    expectTypeOf<CallToolResult["isError"]>().toEqualTypeOf<boolean | undefined>();
    const client = connect(serverOf(done));
    interface Args {
      rows: number;
    }
    const args: Args = { rows: 1 };
    const updates: ProgressUpdate[] = [];
    void client.callTool("a", args, { onProgress: (update) => updates.push(update) });
    void client.callTool("a", args, { onProgress: async () => undefined, timeoutMs: undefined });
    // @ts-expect-error a prompt's arguments are strings
    void client.getPrompt("a", { rows: 1 });
  });
});

describe("a call", () => {
  it("resolves with the result", async () => {
    const result = { ...text("ok"), resultType: "complete", structuredContent: { rows: 3 } };
    expect(await connect(serverOf({ type: "result", result })).callTool("a")).toEqual(result);
  });

  it("resolves with a tool's own failure", async () => {
    const result = { ...text("no such row"), isError: true };
    expect(await connect(serverOf({ type: "result", result })).callTool("a")).toEqual(result);
  });

  it("rejects with an McpError when the answer is a JSON-RPC error", async () => {
    const error = { code: -32602, message: "Unknown tool: a", data: { name: "a" } };
    const call = connect(serverOf({ type: "error", error })).callTool("a");
    await expect(call).rejects.toBeInstanceOf(McpError);
    await expect(call).rejects.toMatchObject(error);
  });

  it("takes as many requests in flight as it was told, and 1,000 unless told", async () => {
    for (const [most, options] of [
      [1_000, {}],
      [3, { maxInFlight: 3 }],
      [1_001, { maxInFlight: 1_001 }],
    ] as const) {
      const server = openServer();
      const client = connect(server, options);
      const refused: unknown[] = [];
      const calls = Array.from({ length: most + 1 }, () => client.callTool("a").catch((error) => refused.push(error)));
      await calls.at(-1);
      expect(refused).toHaveLength(1);
      expect(server.seen).toHaveLength(most);
      client.close();
    }
  });

  it("rejects when the carrier refuses it", async () => {
    const server = openServer();
    const client = connect(server);
    const request = client.request("tools/call", { _meta: { progressToken: null } });
    await expect(request).rejects.toMatchObject({ code: -32602 });
    expect(server.seen).toEqual([]);
  });

  it("leaves nothing behind: 10,000 in a row need the memory of one", { timeout: 60_000 }, async () => {
    const client = connect(serverOf(progress(1), done));
    const { signal } = new AbortController();
    const run = async (calls: number) => {
      for (let i = 0; i < calls; i++) await client.callTool("a", {}, { onProgress: () => undefined, signal });
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await run(1_000);
    const after = await run(10_000);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // A call that left only its id, token and observer would leave 500 bytes, 5 MB in all.
    expect(after - before).toBeLessThan(1_000_000);
  });
});

describe("onProgress", () => {
  it("gets every value before the call resolves", async () => {
    const server = serverOf(progress(1), { type: "progress", progress: 2, total: 2, message: "Done" }, done);
    const order: unknown[] = [];
    await connect(server)
      .callTool("a", {}, { onProgress: (update) => order.push(update) })
      .then(() => order.push("resolved"));
    expect(order).toStrictEqual([{ progress: 1 }, { progress: 2, total: 2, message: "Done" }, "resolved"]);
  });

  it("asks for progress with a token that no other call has; without it no token is sent", () => {
    const server = openServer();
    const client = connect(server);
    const onProgress = () => undefined;
    void client.callTool("a", {});
    void client.callTool("a", {}, { onProgress });
    void client.getPrompt("a", {}, { onProgress });
    void client.readResource("a:b", { onProgress });
    const tokens = server.seen.map(({ request }) => request.progressToken);
    expect(tokens[0]).toBeUndefined();
    expect(new Set(tokens).size).toBe(4);
  });

  it("never gets a value that does not increase", async () => {
    const server = serverOf(...[1, 1, 3, 2, 5].map(progress), done);
    const values: number[] = [];
    await connect(server).callTool("a", {}, { onProgress: (update) => values.push(update.progress) });
    expect(values).toEqual([1, 3, 5]);
  });

  it("gets nothing after the result", async () => {
    const values: number[] = [];
    const client = connect(serverOf(progress(1), done, progress(2)));
    await client.callTool("a", {}, { onProgress: (update) => values.push(update.progress) });
    await client.callTool("a");
    expect(values).toEqual([1]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("bad callback");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("bad callback");
      },
    ],
  ])("that %s harms nothing and is reported once", async (_how, onProgress) => {
    const errors: unknown[] = [];
    const client = connect(serverOf(progress(1), progress(2), done), {
      onCallbackError: (error) => errors.push(error),
    });
    expect(await client.callTool("a", {}, { onProgress })).toEqual({ content: [] });
    await Promise.resolve();
    expect(errors).toEqual([new Error("bad callback")]);
    // The other subscribers still hear everything.
    const values: number[] = [];
    await client.callTool("a", {}, { onProgress: (update) => values.push(update.progress) });
    expect(values).toEqual([1, 2]);
  });

  it.each([
    ["is absent", undefined],
    [
      "fails itself",
      () => {
        throw new Error("bad hook");
      },
    ],
    [
      "rejects itself",
      async () => {
        throw new Error("bad hook");
      },
    ],
  ])("is reported to the server's diagnostics when the hook %s", async (_how, onCallbackError) => {
    const server = serverOf(progress(1), done);
    const diagnostics: Diagnostic[] = [];
    server.diagnostics.subscribe((diagnostic) => diagnostics.push(diagnostic));
    const onProgress = () => {
      throw new Error("bad callback");
    };
    await connect(server, { onCallbackError }).callTool("a", {}, { onProgress });
    await Promise.resolve();
    const failed = onCallbackError === undefined ? "bad callback" : "bad hook";
    expect(diagnostics).toMatchObject([{ type: "subscriber-failed", cause: { message: failed } }]);
  });

  it("keeps the order when it makes the handler emit more than a batch holds", async () => {
    const server = openServer();
    const values: number[] = [];
    const call = connect(server).callTool(
      "a",
      {},
      {
        onProgress: (update) => {
          values.push(update.progress);
          if (update.progress === 1)
            server.seen[0]?.events.next({ type: "progress", progress: 3, message: "x".repeat(20_000) });
        },
      },
    );
    for (const event of [progress(1), progress(2)]) server.seen[0]?.events.next(event);
    await Promise.resolve();
    server.seen[0]?.events.next(done);
    await call;
    expect(values).toEqual([1, 2, 3]);
  });

  it("may make another call, which finds its own way", async () => {
    const client = connect(serverOf(progress(1), progress(2), done));
    const heard: string[] = [];
    let inner: Promise<unknown> | undefined;
    await client.callTool(
      "a",
      {},
      {
        onProgress: (update) => {
          heard.push(`outer ${update.progress}`);
          inner ??= client.callTool("b", {}, { onProgress: (u) => heard.push(`inner ${u.progress}`) });
        },
      },
    );
    await inner;
    expect(heard).toEqual(["outer 1", "outer 2", "inner 1", "inner 2"]);
  });
});

describe("signal", () => {
  it("cancels the call, which rejects with its reason", async () => {
    const server = openServer();
    const controller = new AbortController();
    const call = connect(server).callTool("a", {}, { signal: controller.signal });
    const reason = new Error("changed my mind");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(server.seen[0]?.left).toBeInstanceOf(Cancelled);
    expect(server.seen[0]?.left?.message).toContain("changed my mind");
  });

  it("that is aborted already sends nothing", async () => {
    const server = openServer();
    const client = connect(server);
    await expect(client.callTool("a", {}, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
    expect(server.seen).toEqual([]);
  });

  it("keeps one listener for all calls, and none after them, however they ended", async () => {
    const server = openServer();
    const client = connect(server);
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = () => getEventListeners(signal, "abort").length;
    const calls = [1, 2].map(() => client.callTool("a", {}, { signal }));
    const stream = client.streamTool("a", {}, { signal }).subscribe();
    expect(listeners()).toBe(1);
    server.seen[0]?.events.next(done);
    server.seen[1]?.events.next({ type: "error", error: { code: -32603, message: "Internal error" } });
    stream.unsubscribe();
    await Promise.allSettled(calls);
    expect(listeners()).toBe(0);
    void client.callTool("a", {}, { signal }).catch(() => undefined);
    controller.abort();
    expect(listeners()).toBe(0);
  });
});

describe("timeoutMs", () => {
  it("cancels the call, which rejects with a Deadline", async () => {
    vi.useFakeTimers();
    const server = openServer();
    const call = connect(server).callTool("a", {}, { timeoutMs: 50 });
    const outcome = expect(call).rejects.toEqual(new Deadline(50));
    await vi.advanceTimersByTimeAsync(49);
    expect(server.seen[0]?.left).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(server.seen[0]?.left).toBeInstanceOf(Cancelled);
  });

  it("leaves no timer behind", async () => {
    vi.useFakeTimers();
    await connect(serverOf(done)).callTool("a", {}, { timeoutMs: 50 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("refuses %d", async (timeoutMs) => {
    const server = openServer();
    await expect(connect(server).callTool("a", {}, { timeoutMs })).rejects.toThrow(RangeError);
    expect(server.seen).toEqual([]);
  });
});

describe("streamTool", () => {
  it("is cold and emits the progress, then the result", async () => {
    const server = openServer();
    const stream = connect(server).streamTool("a", { rows: 3 });
    expect(server.seen).toEqual([]);
    const events = lastValueFrom(stream.pipe(toArray()));
    for (const event of [progress(1), progress(2), done]) server.seen[0]?.events.next(event);
    expect(server.seen[0]?.request.progressToken).toBeDefined();
    expect(await events).toEqual([progress(1), progress(2), done]);
  });

  it("calls once more for each subscription", async () => {
    const server = openServer();
    const stream = connect(server).streamTool("a");
    stream.subscribe();
    stream.subscribe();
    expect(server.seen).toHaveLength(2);
  });

  it("cancels the call when its subscriber leaves", async () => {
    const server = openServer();
    const first = firstValueFrom(connect(server).streamTool("a").pipe(take(1)));
    server.seen[0]?.events.next(progress(1));
    expect(await first).toEqual(progress(1));
    expect(server.seen[0]?.left).toBeInstanceOf(Cancelled);
  });

  it("errors with an McpError for a JSON-RPC error", async () => {
    const client = connect(
      serverOf(progress(1), { type: "error", error: { code: -32603, message: "Internal error" } }),
    );
    await expect(lastValueFrom(client.streamTool("a"))).rejects.toEqual(new McpError(-32603, "Internal error"));
  });

  it("errors with the signal's reason", async () => {
    const controller = new AbortController();
    const events = lastValueFrom(connect(openServer()).streamTool("a", {}, { signal: controller.signal }));
    controller.abort("enough");
    await expect(events).rejects.toBe("enough");
  });

  it("is not harmed by a subscriber that throws", async () => {
    const errors: unknown[] = [];
    const client = connect(serverOf(progress(1), done), { onCallbackError: (error) => errors.push(error) });
    const completed = new Promise<void>((resolve) => {
      client.streamTool("a").subscribe({
        next: () => {
          throw new Error("bad subscriber");
        },
        complete: resolve,
      });
    });
    await completed;
    expect(errors).toEqual([new Error("bad subscriber")]);
  });

  it("discriminates its events", () => {
    expectTypeOf<Extract<ToolEvent, { type: "progress" }>>().toEqualTypeOf<ProgressEvent>();
    expectTypeOf<Extract<ToolEvent, { type: "result" }>["result"]>().toEqualTypeOf<CallToolResult>();
  });
});

describe("close", () => {
  it("rejects what is in flight, aborts its handlers, and takes no more", async () => {
    const server = openServer();
    const client = connect(server);
    const call = client.callTool("a");
    client.close();
    await expect(call).rejects.toBeInstanceOf(Disconnected);
    expect(server.seen[0]?.left).toBeInstanceOf(Disconnected);
    await expect(client.callTool("a")).rejects.toBeInstanceOf(Disconnected);
    expect(server.seen).toHaveLength(1);
  });

  it("may come from a progress callback", async () => {
    const client = connect(serverOf(progress(1), progress(2), done));
    const values: number[] = [];
    const call = client.callTool(
      "a",
      {},
      {
        onProgress: (update) => {
          values.push(update.progress);
          client.close();
        },
      },
    );
    await expect(call).rejects.toBeInstanceOf(Disconnected);
    expect(values).toEqual([1]);
  });
});
