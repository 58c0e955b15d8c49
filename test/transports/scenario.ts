import { createMcpServer, type Diagnostic, defineResource, defineTool, type McpServer, ToolError } from "mcp-headway";
import { asyncScheduler, finalize, NEVER, observeOn, ReplaySubject, range, Subject, startWith } from "rxjs";
import { z } from "zod";

/** A server whose tools do what carriers are tested with, and what its handlers saw. */
export interface Scenario {
  readonly server: McpServer;
  /** Why signals aborted, in order. */
  readonly aborted: ReplaySubject<unknown>;
  /** One for each handler's observable that was torn down. */
  readonly finalized: ReplaySubject<string>;
  /** What the question of `forget` was refused with. */
  readonly refused: ReplaySubject<unknown>;
  /** Lets `hold` and `forget` return. */
  readonly release: Subject<void>;
}

export function createScenario(closeGraceMs = 5_000): Scenario {
  const aborted = new ReplaySubject<unknown>();
  const finalized = new ReplaySubject<string>();
  const refused = new ReplaySubject<unknown>();
  const release = new Subject<void>();

  const count = defineTool({
    name: "count",
    description: "Reports 1 to `to`, then returns it; waits for room when `drained`",
    inputSchema: z.object({ to: z.number(), drained: z.boolean().optional(), message: z.string().optional() }),
    cadence: "every",
    handler: async ({ to, drained = false, message }, ctx) => {
      for (let value = 1; value <= to; value += 1) {
        ctx.progress(value, to, message);
        if (drained) await ctx.drained();
      }
      return String(to);
    },
  });
  const flood = defineTool({
    name: "flood",
    description: "Reports 1 to `to` with a turn after every hundred, so that others are heard",
    inputSchema: z.object({ to: z.number() }),
    cadence: "every",
    handler: async ({ to }, ctx) => {
      const message = "x".repeat(1_000);
      for (let value = 1; value <= to; value += 1) {
        ctx.progress(value, to, message);
        if (value % 100 === 0) await new Promise(setImmediate);
      }
      return "flooded";
    },
  });
  const hold = defineTool({
    name: "hold",
    description: "Reports 1 and waits to be released or aborted",
    inputSchema: z.object({ text: z.string().optional() }),
    handler: ({ text = "released" }, ctx) => {
      ctx.progress(1);
      return new Promise<string>((resolve, reject) => {
        release.subscribe(() => resolve(text));
        ctx.signal.addEventListener("abort", () => {
          aborted.next(ctx.signal.reason);
          reject(ctx.signal.reason);
        });
      });
    },
  });
  const spin = defineTool({
    name: "spin",
    description: "Reports and waits for nothing but room, until it is aborted",
    handler: async (_, ctx) => {
      for (let value = 1; !ctx.signal.aborted; value += 1) {
        ctx.progress(value);
        await ctx.drained();
      }
      aborted.next(ctx.signal.reason);
    },
  });
  const watch = defineTool({
    name: "watch",
    description: "An observable that never ends",
    handler: (_, ctx) => {
      ctx.progress(1);
      return NEVER.pipe(
        startWith("watching"),
        finalize(() => finalized.next(String(ctx.requestId))),
      );
    },
  });
  const hop = defineTool({
    name: "hop",
    description: "Reports 20 values through an asynchronous scheduler and returns at once",
    cadence: "every",
    handler: (_, ctx) => {
      ctx.progress(0);
      range(1, 20)
        .pipe(observeOn(asyncScheduler))
        .subscribe({ next: (value) => ctx.progress(value), complete: () => finalized.next("hop") });
      return "returned";
    },
  });
  const last = defineTool({
    name: "last",
    description: "Reports as its last statement",
    handler: async (_, ctx) => {
      await Promise.resolve();
      ctx.progress(1, 1, "done");
    },
  });
  const say = defineTool({
    name: "say",
    description: "Reports and returns the text",
    inputSchema: z.object({ text: z.string() }),
    handler: ({ text }, ctx) => {
      ctx.progress(1, null, text);
      return text;
    },
  });
  const big = defineTool({
    name: "big",
    description: "Returns that many characters, two bytes each",
    inputSchema: z.object({ length: z.number() }),
    handler: ({ length }) => "é".repeat(length),
  });
  const unserializable = defineTool({
    name: "unserializable",
    description: "Returns what has no JSON form",
    handler: () => ({ content: [], structuredContent: { big: 1n } }),
  });
  const fail = defineTool({
    name: "fail",
    description: "Throws",
    handler: () => {
      throw new ToolError("it broke");
    },
  });
  const ask = defineTool({
    name: "ask",
    description: "Reports, asks, reports and returns what was answered",
    cadence: "every",
    handler: async (_, ctx) => {
      ctx.progress(1, 3);
      const { action, content } = await ctx.elicit("Which colour?", z.object({ colour: z.string() }));
      ctx.progress(2, 3, content?.colour);
      return `${action} ${content?.colour}`;
    },
  });
  const forget = defineTool({
    name: "forget",
    description: "Asks, and returns without an answer once it is released",
    handler: async (_, ctx) => {
      ctx.elicit("Anybody?", z.object({})).catch((error: unknown) => refused.next(error));
      ctx.progress(1);
      return new Promise<string>((resolve) => release.subscribe(() => resolve("forgotten")));
    },
  });
  const note = defineResource({ uri: "memo://note", name: "note", read: () => "a note" });
  const tools = [count, flood, hold, spin, watch, hop, last, say, big, unserializable, fail, ask, forget];
  const server = createMcpServer({ name: "scenario", version: "1.0.0", tools, resources: [note] }, { closeGraceMs });
  return { server, aborted, finalized, refused, release };
}

/** What a developer is told of a server from now on. */
export function typesOf({ diagnostics }: Pick<McpServer, "diagnostics">): readonly Diagnostic["type"][] {
  const types: Diagnostic["type"][] = [];
  diagnostics.subscribe(({ type }) => types.push(type));
  return types;
}
