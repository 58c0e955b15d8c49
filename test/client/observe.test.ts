import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpServer, defineTool } from "mcp-headway";
import { type ObservedEvent, type ObservedOptions, observeProgress, progressState } from "mcp-headway/client";
import { serveHttp } from "mcp-headway/http";
import { firstValueFrom, lastValueFrom, type Observable, Subject, take, toArray } from "rxjs";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { z } from "zod";

const info = { name: "official", version: "1.0.0" };
const capabilities = { elicitation: {} };
const answer = { action: "accept" as const, content: { name: "Ann" } };
const all = <T>(events: Observable<T>): Promise<T[]> => lastValueFrom(events.pipe(toArray()));

/** A tool that reports, asks twice in turn, and reports on; and one that never ends. */
async function serve() {
  const left = new Subject<unknown>();
  const greet = defineTool({
    name: "greet",
    description: "Asks on its way",
    handler: async (_args, ctx) => {
      ctx.progress(0.25, 1, "begun");
      await ctx.elicit("Your name?", z.object({ name: z.string() }), { key: "a" });
      ctx.progress(0.5, 1);
      await ctx.elicit("And again?", z.object({ name: z.string() }), { key: "b" });
      ctx.progress(3, undefined, "Fulfilling input required by 'greet' (round 3)");
      return "Hello";
    },
  });
  const hold = defineTool({
    name: "hold",
    description: "Never ends",
    handler: (_args, ctx) => {
      ctx.progress(1);
      ctx.signal.addEventListener("abort", () => left.next(ctx.signal.reason));
      return new Promise(() => undefined);
    },
  });
  const handle = await serveHttp(createMcpServer({ name: "s", version: "1", tools: [greet, hold] }), {
    closeGraceMs: 20,
  });
  onTestFinished(() => handle.close());
  return { url: new URL(handle.url), left };
}

async function second(url: URL, mode: "legacy" | { readonly pin: string }) {
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", async () => answer);
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());
  return (name: string) =>
    (options: ObservedOptions): Promise<object> =>
      client.callTool({ name, arguments: {} }, options);
}

async function first(url: URL) {
  const client = new FirstClient(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, async () => answer);
  await client.connect(new FirstTransport(url) as Parameters<FirstClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return (name: string) =>
    (options: ObservedOptions): Promise<object> =>
      client.callTool({ name, arguments: {} }, undefined, options);
}

describe.each([
  ["2.x in the modern era", (url: URL) => second(url, { pin: "2026-07-28" })],
  ["2.x in the legacy era", (url: URL) => second(url, "legacy")],
  ["1.x", first],
])("a call of the official client %s", (_title, connect) => {
  it("is observed with every update of the server, and with none that the client made up", async () => {
    const { url } = await serve();
    const call = (await connect(url))("greet");
    expect(await all(observeProgress(call))).toEqual([
      { type: "progress", progress: 0.25, total: 1, message: "begun" },
      { type: "progress", progress: 0.5, total: 1 },
      { type: "progress", progress: 3, message: "Fulfilling input required by 'greet' (round 3)" },
      { type: "result", result: expect.objectContaining({ content: [{ type: "text", text: "Hello" }] }) },
    ]);
  });

  it("is cancelled by unsubscribing", async () => {
    const { url, left } = await serve();
    const call = (await connect(url))("hold");
    const reason = firstValueFrom(left);
    expect(await firstValueFrom(observeProgress(call))).toEqual({ type: "progress", progress: 1 });
    expect(await reason).toBeInstanceOf(Error);
  });

  it("becomes the state of a display", async () => {
    const { url } = await serve();
    const call = (await connect(url))("greet");
    const states = await all(observeProgress(call).pipe(progressState({ clock: { now: () => 0 } })));
    expect(states.map(({ state, fraction }) => [state, fraction])).toEqual([
      ["waiting", undefined],
      ["running", 0.25],
      ["running", 0.5],
      ["running", undefined],
      ["ended", undefined],
    ]);
  });
});

describe("observeProgress", () => {
  it("knows what the modern client makes up: without it, the first of these would be shown", async () => {
    const { url } = await serve();
    const call = (await second(url, { pin: "2026-07-28" }))("greet");
    const seen: unknown[] = [];
    await call({ onprogress: (update) => seen.push(update), signal: new AbortController().signal });
    expect(seen).toContainEqual({ progress: 1, message: "Fulfilling input required by 'tools/call' (round 1)" });
    expect(seen).toContainEqual({ progress: 2, message: "Fulfilling input required by 'tools/call' (round 2)" });
  });

  it("calls once more for each subscription, and leaves the signal of a call that is over alone", async () => {
    const signals: AbortSignal[] = [];
    const events = observeProgress(async ({ signal }) => {
      signals.push(signal);
      return 1;
    });
    expect(signals).toEqual([]);
    expect(await all(events)).toEqual([{ type: "result", result: 1 }]);
    expect(await firstValueFrom(events.pipe(take(1)))).toEqual({ type: "result", result: 1 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it("errors with what the call throws or rejects with", async () => {
    const error = new Error("no");
    await expect(all(observeProgress(() => Promise.reject(error)))).rejects.toBe(error);
    const thrown = observeProgress((): Promise<never> => {
      throw error;
    });
    await expect(all(thrown)).rejects.toBe(error);
  });

  it("lets through only what increases, without the parts that are undefined", async () => {
    const events = observeProgress(async ({ onprogress }) => {
      for (const progress of [1, 1, 0, Number.NaN, 2]) onprogress({ progress, total: undefined, message: undefined });
    });
    const updates = (await all(events)).filter(({ type }) => type === "progress");
    expect(updates).toStrictEqual([
      { type: "progress", progress: 1 },
      { type: "progress", progress: 2 },
    ]);
  });

  it("infers the result from the call", () => {
    const events = observeProgress(async () => ({ rows: 3 }));
    expectTypeOf(events).toEqualTypeOf<Observable<ObservedEvent<{ rows: number }>>>();
    // @ts-expect-error a call gives a promise
    observeProgress(() => 3);
  });
});
