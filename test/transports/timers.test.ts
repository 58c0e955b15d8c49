import { createMcpServer, defineTool } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { expect, it, onTestFinished, vi } from "vitest";
import { send } from "./http-client.ts";
import { callOf, initialize } from "./peer.ts";

/** Delays that tell their timers from all others. */
const delays = {
  keepAliveMs: 601_000,
  bodyTimeoutMs: 602_000,
  sessionIdleMs: 603_000,
  timeoutMs: 604_000,
  everyMs: 605_000,
  closeGraceMs: 606_000,
};

it("no timer of a request that is open holds the process", async () => {
  const spies = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "setInterval")];
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
  const finish: (() => void)[] = [];
  const hold = defineTool({
    name: "hold",
    description: "d",
    handler: (_, ctx) => {
      ctx.pulse({ everyMs: delays.everyMs, forMs: 1_000_000 });
      return new Promise<string>((resolve) => finish.push(() => resolve("done")));
    },
  });
  const { timeoutMs, closeGraceMs, everyMs: _, ...limits } = delays;
  const server = createMcpServer({ name: "s", version: "1", tools: [hold] }, { timeoutMs, closeGraceMs });
  const { url, close } = await serveHttp(server, limits);
  onTestFinished(() => close());
  await send(url, { body: JSON.stringify(initialize()), headers: { "MCP-Protocol-Version": undefined } });
  const answer = send(url, { body: JSON.stringify(callOf(1, "hold", {}, "a")) });
  await vi.waitFor(() => expect(finish).toHaveLength(1));
  const closed = server.close();
  for (const [name, delayMs] of Object.entries(delays)) {
    const timers = spies.flatMap(({ mock }) =>
      mock.results
        .filter((_, index) => Math.abs(Number(mock.calls[index]?.[1]) - delayMs) < 100)
        .map(({ value }) => value as NodeJS.Timeout),
    );
    expect([name, timers.map((timer) => timer.hasRef())]).toEqual([name, timers.map(() => false)]);
    expect([name, timers.length > 0]).toEqual([name, true]);
  }
  expect(setTimeout(() => undefined, 1).hasRef()).toBe(true);
  finish[0]?.();
  expect((await answer).status).toBe(200);
  await closed;
});
