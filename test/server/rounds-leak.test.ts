import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { McpToolContext } from "mcp-headway";
import { expect, it, vi } from "vitest";
import { able, askedOf, asking, consent, turn } from "./asking.ts";
import { exchangeOf } from "./kit.ts";

function heapUsed(): number {
  setFlagsFromString("--expose_gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

it("10,000 rounds that nobody answers leave nothing behind: no memory, no timer, no listener, no call in flight", async () => {
  let last: WeakRef<McpToolContext> | undefined;
  const { server, diagnostics } = asking(async (ctx) => {
    last = new WeakRef(ctx);
    ctx.signal.addEventListener("abort", () => undefined);
    await ctx.once("x", () => "y".repeat(100));
    await ctx.elicit("A?", consent);
  });
  const closing = new AbortController();
  const listen = vi.spyOn(closing.signal, "addEventListener");
  const round = (id: number) =>
    new Promise<string>((resolve) => {
      const request = { id, method: "tools/call", params: { name: "t" }, progressToken: id, closing: closing.signal };
      server.dispatch(request, exchangeOf(able)).subscribe((event) => {
        if (event.type === "input-required") resolve(askedOf(event).requestState);
      });
    });
  vi.useFakeTimers({ toFake: ["setInterval", "setTimeout", "clearInterval", "clearTimeout"] });
  try {
    const rounds = async (count: number) => {
      for (let id = 0; id < count; id += 50) await Promise.all(Array.from({ length: 50 }, (_, n) => round(id + n)));
    };
    await rounds(1_000);
    const before = heapUsed();
    await rounds(10_000);
    await turn();
    expect((heapUsed() - before) / 10_000).toBeLessThan(100);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
  expect(last).toBeDefined();
  expect(last?.deref()).toBeUndefined();
  expect(listen).not.toHaveBeenCalled();
  expect(diagnostics).toEqual([]);
  await server.close();
}, 60_000);
