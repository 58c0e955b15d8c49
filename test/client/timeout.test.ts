import assert from "node:assert/strict";
import { Cancelled, Deadline } from "mcp-headway";
import { type CallOptions, type Client, connect, type Timeouts } from "mcp-headway/client";
import { lastValueFrom } from "rxjs";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { Patience } from "../../src/client/timeout.ts";
import { done, form, inputRequired, openServer, progress } from "./servable.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** One call of a server that answers by hand, and how it ended. */
function begin(options: CallOptions) {
  const server = openServer();
  let ended: unknown;
  connect(server)
    .callTool("a", {}, options)
    .then(
      (result) => {
        ended = result;
      },
      (error: unknown) => {
        ended = error;
      },
    );
  return {
    server,
    report: (value: number) => server.seen.at(-1)?.events.next(progress(value)),
    answer: () => server.seen.at(-1)?.events.next(done),
    ended: () => ended,
  };
}

describe("resetTimeoutOnProgress", () => {
  const options = { timeoutMs: 100, resetTimeoutOnProgress: true };

  it("counts the timeout anew from each update", async () => {
    const call = begin(options);
    for (const value of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(99);
      call.report(value);
    }
    expect(call.ended()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(99);
    expect(call.ended()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(call.ended()).toEqual(new Deadline(100, "The request made no progress for 100 ms"));
    expect(call.server.seen[0]?.left).toBeInstanceOf(Cancelled);
  });

  it.each([
    ["repeats its value", [1, 1, 1, 1]],
    ["goes back", [5, 4, 3, 2]],
  ])("is not met by a peer that %s", async (_title, values) => {
    const call = begin(options);
    for (const value of values) {
      call.report(value);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(call.ended()).toBeInstanceOf(Deadline);
  });

  it("is not met by what is no finite number", () => {
    const ended: unknown[] = [];
    const patience = new Patience(100, (reason) => ended.push(reason));
    for (const value of [1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      vi.advanceTimersByTime(40);
      patience.renew(value);
    }
    expect(ended).toHaveLength(1);
  });

  it.each([
    ["an hour", 3_600_000],
    ["more days than a timer can wait", 60 * 86_400_000],
  ])("holds on a clock that is set back by %s, with and without life", (_title, backMs) => {
    for (const lives of [false, true]) {
      const ended: unknown[] = [];
      const patience = new Patience(100, (reason) => ended.push(reason));
      vi.advanceTimersByTime(50);
      if (lives) patience.renew(1);
      vi.setSystemTime(Date.now() - backMs);
      vi.advanceTimersByTime(49);
      expect(ended).toEqual([]);
      vi.advanceTimersByTime(lives ? 101 : 1);
      expect(ended).toEqual([expect.any(Deadline)]);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it("asks for progress without onProgress; without it, and without a timeout, no token is sent", () => {
    const tokenOf = (given: CallOptions) => begin(given).server.seen[0]?.request.progressToken;
    expect(tokenOf(options)).toBeDefined();
    expect(tokenOf({ timeoutMs: 100 })).toBeUndefined();
    expect(tokenOf({ resetTimeoutOnProgress: true })).toBeUndefined();
    expect(tokenOf({ maxTotalTimeoutMs: 100 })).toBeUndefined();
  });

  it("is off by default: updates do not stretch a timeout", async () => {
    const call = begin({ timeoutMs: 100, onProgress: () => undefined });
    await vi.advanceTimersByTimeAsync(60);
    call.report(1);
    await vi.advanceTimersByTimeAsync(40);
    expect(call.ended()).toEqual(new Deadline(100));
  });

  it("begins anew in each round, with the values of that round", async () => {
    const asks = inputRequired({ inputRequests: { k: form("A?") }, requestState: "s" });
    const call = begin({ ...options, onElicit: () => ({ action: "decline" }) });
    call.report(0.9);
    await vi.advanceTimersByTimeAsync(90);
    call.server.seen[0]?.events.next(asks);
    await vi.advanceTimersByTimeAsync(90);
    call.report(0.1);
    await vi.advanceTimersByTimeAsync(90);
    expect(call.server.seen).toHaveLength(2);
    expect(call.ended()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10);
    expect(call.ended()).toBeInstanceOf(Deadline);
  });

  it.each([
    ["throws", () => assert.fail("no")],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("is not harmed by a callback that %s", async (_title, onProgress) => {
    const errors: unknown[] = [];
    const server = openServer();
    const client = connect(server, { onCallbackError: (error) => errors.push(error) });
    const call = client.callTool("a", {}, { ...options, maxTotalTimeoutMs: 250, onProgress });
    for (const value of [1, 2]) {
      await vi.advanceTimersByTimeAsync(60);
      server.seen[0]?.events.next(progress(value));
    }
    await vi.advanceTimersByTimeAsync(60);
    server.seen[0]?.events.next(done);
    expect(await call).toEqual({ content: [] });
    expect(errors).toEqual([expect.objectContaining({ message: "no" })]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each<[string, (client: Client, timeouts: Timeouts) => Promise<unknown>]>([
  ["callTool", (client, timeouts) => client.callTool("a", {}, timeouts)],
  ["streamTool", (client, timeouts) => lastValueFrom(client.streamTool("a", {}, timeouts))],
  ["getPrompt", (client, timeouts) => client.getPrompt("a", {}, timeouts)],
  ["readResource", (client, timeouts) => client.readResource("a:b", timeouts)],
  ["request", (client, timeouts) => client.request("tools/call", { name: "a" }, timeouts)],
])("%s", (_title, run) => {
  it("fails with the limit that was passed, and cancels", async () => {
    const limits: readonly [Timeouts, string][] = [
      [{ timeoutMs: 100 }, "The request did not finish within 100 ms"],
      [{ timeoutMs: 100, resetTimeoutOnProgress: true }, "The request made no progress for 100 ms"],
      [
        { timeoutMs: 100, resetTimeoutOnProgress: true, maxTotalTimeoutMs: 120 },
        "The call did not finish within 120 ms in all",
      ],
    ];
    for (const [timeouts, message] of limits) {
      const server = openServer();
      const outcome = expect(run(connect(server), timeouts)).rejects.toThrow(message);
      await vi.advanceTimersByTimeAsync(50);
      server.seen[0]?.events.next(progress(1));
      await vi.advanceTimersByTimeAsync(100);
      await outcome;
      expect(server.seen[0]?.left).toBeInstanceOf(Cancelled);
    }
  });
});

describe("maxTotalTimeoutMs", () => {
  const total = new Deadline(250, "The call did not finish within 250 ms in all");

  it("ends the call whatever progress comes", async () => {
    const call = begin({ timeoutMs: 100, resetTimeoutOnProgress: true, maxTotalTimeoutMs: 250 });
    for (const value of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(80);
      call.report(value);
    }
    expect(call.ended()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10);
    expect(call.ended()).toEqual(total);
    expect(call.server.seen[0]?.left).toBeInstanceOf(Cancelled);
  });

  it("ends a silent call without onProgress and without another timeout", async () => {
    const call = begin({ maxTotalTimeoutMs: 250 });
    await vi.advanceTimersByTimeAsync(250);
    expect(call.ended()).toEqual(total);
  });

  it("counts the time that a question is open, and tells its dialog why", async () => {
    let reason: unknown;
    const asks = {
      type: "input-required",
      inputRequests: { k: { method: "elicitation/create", params: { message: "A?" } } },
      requestState: "s",
    } as const;
    const call = begin({
      maxTotalTimeoutMs: 250,
      onElicit: (_request, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
          });
        }),
    });
    call.server.seen[0]?.events.next(asks);
    await vi.advanceTimersByTimeAsync(250);
    expect(call.ended()).toEqual(total);
    expect(reason).toEqual(total);
  });

  it("leaves nothing behind when the call ends in time", async () => {
    const { signal } = new AbortController();
    const call = begin({ maxTotalTimeoutMs: 250, signal });
    call.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(call.ended()).toEqual({ content: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves the caller's signal its say", async () => {
    const controller = new AbortController();
    const call = begin({ maxTotalTimeoutMs: 250, signal: controller.signal });
    controller.abort(new Error("enough"));
    await vi.advanceTimersByTimeAsync(0);
    expect(call.ended()).toEqual(new Error("enough"));
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("refuses %d", async (maxTotalTimeoutMs) => {
    const server = openServer();
    const call = connect(server).callTool("a", {}, { maxTotalTimeoutMs });
    await expect(call).rejects.toThrow(/^Expected `maxTotalTimeoutMs` to be greater than 0/);
    expect(server.seen).toEqual([]);
  });
});

it("takes the timeouts of every call", () => {
  expectTypeOf<Timeouts>().toExtend<Parameters<Client["callTool"]>[2]>();
  expectTypeOf<Timeouts>().toExtend<Parameters<Client["streamTool"]>[2]>();
  expectTypeOf<Timeouts>().toExtend<Parameters<Client["getPrompt"]>[2]>();
  expectTypeOf<Timeouts>().toExtend<Parameters<Client["readResource"]>[1]>();
  expectTypeOf<Timeouts>().toExtend<Parameters<Client["request"]>[2]>();
  expectTypeOf<{ maxTotalTimeoutMs: string }>().not.toExtend<Parameters<Client["callTool"]>[2]>();
});
