import {
  Cancelled,
  createMcpServer,
  Deadline,
  Disconnected,
  defineTool,
  type ProgressUpdate,
  type RequestEvent,
  reportTo,
} from "mcp-headway";
import { finalize, interval, NEVER, of } from "rxjs";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import { leavingClient, slowClient, type TestClient, toolCall } from "../../src/testing/index.ts";
import { serverOf } from "../server/kit.ts";

/** Reports 1 to `to`, waiting for room after each. */
const careful = defineTool({
  name: "careful",
  description: "d",
  inputSchema: z.object({ to: z.number() }),
  cadence: "every",
  handler: async ({ to }, ctx) => {
    for (let value = 1; value <= to && !ctx.signal.aborted; value += 1) {
      ctx.progress(value, to, "x".repeat(1_000));
      await ctx.drained();
    }
    return "done";
  },
});
const flood = defineTool({
  name: "flood",
  description: "d",
  inputSchema: z.object({ to: z.number() }),
  cadence: "every",
  handler: ({ to }, ctx) => {
    for (let value = 1; value <= to; value += 1) ctx.progress(value, to, "x".repeat(1_000));
    return "flooded";
  },
});

const fake = ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "Date"] as const satisfies string[];

afterEach(() => void vi.useRealTimers());

describe("a slow client", () => {
  it("reads nothing until it is told, and then as much as it is told", async () => {
    const client = slowClient(careful);
    client.send(toolCall("careful", { to: 3 }));
    await Promise.resolve();
    expect(client.received).toEqual([]);
    expect(await client.read(2)).toMatchObject([{ params: { progress: 1 } }, { params: { progress: 2 } }]);
    expect(client.updates.map(({ progress }) => progress)).toEqual([1, 2]);
    expect(await client.readAll()).toMatchObject([{ params: { progress: 3 } }, { id: 1, result: {} }]);
    expect(client.merged).toBe(0);
  });

  it("keeps a handler waiting that waits for room", async () => {
    const client = slowClient(careful);
    client.send(toolCall("careful", { to: 1_000 }));
    await new Promise(setImmediate);
    expect(client.merged).toBeLessThan(40);
    expect(client.peak).toBeGreaterThan(16_000);
    expect(client.peak).toBeLessThan(64_000);
    await client.readAll();
    expect(client.updates).toHaveLength(1_000);
    expect(client.merged).toBe(0);
  });

  it("costs constant memory whatever a handler reports, and gets the last update and the result", async () => {
    const client = slowClient(flood);
    client.send(toolCall("flood", { to: 20_000 }));
    await client.readAll();
    expect(client.updates.at(-1)).toMatchObject({ progress: 20_000 });
    expect(client.received.at(-1)).toMatchObject({ id: 1, result: {} });
    expect(client.merged).toBe(20_000 - client.updates.length);
    expect(client.merged).toBeGreaterThan(19_000);
    expect(client.peak).toBeLessThan(64_000);
  });

  it("reads one message per interval", async () => {
    vi.useFakeTimers({ toFake: fake });
    const client = slowClient(careful, { everyMs: 10 });
    client.send(toolCall("careful", { to: 3 }));
    await vi.advanceTimersByTimeAsync(25);
    expect(client.received).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(client.received).toHaveLength(4);
    await client.done();
  });

  it("leaves in the middle of a flood: what waits is dropped at once", async () => {
    const client = slowClient(flood);
    client.send(toolCall("flood", { to: 100_000 }));
    await client.read(5);
    client.leave();
    await client.stopped();
    expect(client.received).toHaveLength(5);
    expect(client.peak).toBeLessThan(64_000);
  });

  it("is dropped when it reads nothing for too long", async () => {
    vi.useFakeTimers({ toFake: fake });
    const { server, diagnostics } = serverOf({ tools: [careful] });
    const client = slowClient(server, { writeTimeoutMs: 50 });
    client.send(toolCall("careful", { to: 100 }));
    await vi.advanceTimersByTimeAsync(51);
    await client.stopped();
    expect(client.aborted).toEqual([expect.any(Disconnected)]);
    expect(diagnostics).toMatchObject([{ type: "slow-client" }]);
  });
});

describe("a leaving client", () => {
  it("vanishes after some messages: the handler is told why, and stops", async () => {
    const client = leavingClient(careful, { afterMessages: 3 });
    client.send(toolCall("careful", { to: 1_000_000 }));
    await client.stopped();
    expect(client.received).toHaveLength(3);
    expect(client.aborted).toEqual([expect.any(Disconnected)]);
  });

  it("cancels after some messages, and hears of that request no more", async () => {
    const server = createMcpServer({ name: "s", version: "1", tools: [careful] });
    const client = leavingClient(server, { afterMessages: 3, cancels: true });
    client.send(toolCall("careful", { to: 1_000_000 }));
    await client.done();
    expect(client.received).toHaveLength(3);
    expect(client.aborted).toEqual([expect.any(Cancelled)]);
    client.send(toolCall("careful", { to: 1 }));
    await client.done();
    expect(client.received.slice(3)).toMatchObject([{ params: { progressToken: 2 } }, { id: 2, result: {} }]);
  });

  it("vanishes at a moment, and an observable is torn down", async () => {
    vi.useFakeTimers({ toFake: fake });
    let running = 0;
    const ticking = defineTool({
      name: "ticking",
      description: "d",
      handler: (_, ctx) => {
        running += 1;
        return interval(10).pipe(
          reportTo(ctx.countingProgress()),
          finalize(() => {
            running -= 1;
          }),
        );
      },
    });
    const client = leavingClient(ticking, { atMs: 35 });
    client.send(toolCall("ticking"));
    await vi.advanceTimersByTimeAsync(34);
    expect([client.updates.length, running]).toEqual([3, 1]);
    await vi.advanceTimersByTimeAsync(1);
    await client.stopped();
    expect([client.updates.length, running]).toEqual([3, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits for a handler that does not listen to its signal", async () => {
    let finish = (): void => undefined;
    const deaf = defineTool({
      name: "deaf",
      description: "d",
      handler: (_, ctx) => {
        ctx.progress(1);
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    });
    const client = leavingClient(deaf, { afterMessages: 1 });
    client.send(toolCall("deaf"));
    let stopped = false;
    const stop = client.stopped().then(() => {
      stopped = true;
    });
    await client.done();
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    finish();
    await stop;
  });

  it("stays when it was answered before", async () => {
    const client = leavingClient(careful, { afterMessages: 10 });
    client.send(toolCall("careful", { to: 2 }));
    await client.stopped();
    expect(client.received).toHaveLength(3);
    expect(client.aborted).toEqual([]);
  });
});

describe("a test client", () => {
  it("says who it is, and asks for progress unless told otherwise", async () => {
    const who = defineTool({
      name: "who",
      description: "d",
      handler: (_, { principal, client, listening }) => ({ principal, client, listening }),
    });
    const identity = { clientInfo: { name: "n", version: "1" }, capabilities: { roots: {} }, principal: "ann" };
    const client = slowClient(who, identity);
    client.send(toolCall("who"));
    client.send(toolCall("who", {}, { progressToken: null }));
    const seen = { principal: "ann", client: { info: identity.clientInfo, capabilities: identity.capabilities } };
    expect(await client.readAll()).toMatchObject([
      { id: 1, result: { structuredContent: { ...seen, listening: true } } },
      { id: 2, result: { structuredContent: { ...seen, listening: false } } },
    ]);
  });

  it("takes a bare port, and shows a deadline of a tool", async () => {
    const bare = slowClient(() => of<RequestEvent>({ type: "result", result: { text: "x" } }));
    bare.send({ method: "any" });
    expect(await bare.readAll()).toMatchObject([{ id: 1, result: { text: "x" } }]);
    const late = slowClient(defineTool({ name: "late", description: "d", timeoutMs: 1, handler: () => NEVER }));
    late.send(toolCall("late"));
    expect(await late.readAll()).toMatchObject([{ result: { isError: true } }]);
    expect(late.aborted).toEqual([expect.any(Deadline)]);
  });

  it("reads fewer messages than it was told when no more come", async () => {
    const client = slowClient(careful);
    const reading = client.read(10);
    client.send(toolCall("careful", { to: 1 }));
    expect(await reading).toHaveLength(2);
    client.leave();
    expect(await client.read()).toEqual([]);
  });

  it.each([0, -1, Number.NaN, Infinity])("refuses %s for a time or a number of messages", (value) => {
    expect(() => slowClient(careful, { everyMs: value })).toThrow(RangeError);
    expect(() => slowClient(careful, { writeTimeoutMs: value })).toThrow("`writeTimeoutMs`");
    expect(() => leavingClient(careful, { atMs: value })).toThrow("`atMs`");
    expect(() => leavingClient(careful, { afterMessages: value })).toThrow("`afterMessages`");
    expect(() => leavingClient(careful, { afterMessages: 1.5 })).toThrow("`afterMessages` to be an integer");
    leavingClient(careful, { afterMessages: 1, atMs: 0.5 }).leave();
  });

  it("has types", () => {
    expectTypeOf(slowClient(careful)).toEqualTypeOf<TestClient>();
    expectTypeOf<TestClient["updates"]>().toEqualTypeOf<readonly ProgressUpdate[]>();
    // @ts-expect-error a slow client stays
    const wrong = () => slowClient(careful, { afterMessages: 1 });
    expect(wrong).toBeTypeOf("function");
  });
});
