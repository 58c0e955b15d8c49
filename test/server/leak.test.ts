import { defineResource, defineTool } from "mcp-headway";
import { finalize, NEVER, Observable } from "rxjs";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { exchangeOf, serverOf } from "./kit.ts";

const short = defineTool({
  name: "short",
  description: "d",
  inputSchema: z.object({ n: z.number() }),
  handler: ({ n }, ctx) => {
    ctx.progress(n);
    return ctx.signal.aborted ? "aborted" : "done";
  },
});

it("50,000 calls leave nothing behind: no timer, no listener, nothing that closing would have to end", async () => {
  const resource = defineResource({ uri: "a:b", name: "r", read: () => "x" });
  const { server, diagnostics } = serverOf({ tools: [short], resources: [resource] }, { timeoutMs: 60_000 });
  const closing = new AbortController();
  const exchange = exchangeOf();
  const listen = vi.spyOn(closing.signal, "addEventListener");
  vi.useFakeTimers();
  let results = 0;
  try {
    for (let id = 0; id < 50_000; id++) {
      const params = { name: "short", arguments: { n: id } };
      server
        .dispatch({ id, method: "tools/call", params, progressToken: id, closing: closing.signal }, exchange)
        .subscribe(({ type }) => {
          if (type === "result") results += 1;
        });
    }
    expect(results).toBe(50_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
  expect(listen).not.toHaveBeenCalled();
  expect(diagnostics).toEqual([]);
  await server.close();
});

it("10,000 calls whose consumers leave early leave no source running", async () => {
  let running = 0;
  const tool = defineTool({
    name: "endless",
    description: "d",
    handler: () =>
      new Observable<string>((subscriber) => {
        running += 1;
        subscriber.add(NEVER.subscribe());
      }).pipe(finalize(() => (running -= 1))),
  });
  const { server } = serverOf({ tools: [tool] });
  for (let id = 0; id < 10_000; id++) {
    const stream = server.dispatch({ id, method: "tools/call", params: { name: "endless" } }, exchangeOf());
    const consumers = [stream.subscribe(), stream.subscribe()];
    if (id === 0) expect(running).toBe(2);
    for (const consumer of consumers) consumer.unsubscribe();
  }
  expect(running).toBe(0);
  await server.close();
});
