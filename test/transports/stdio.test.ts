import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Disconnected } from "mcp-headway";
import { type StdioOptions, serveStdio } from "mcp-headway/stdio";
import { filter, firstValueFrom, Subject } from "rxjs";
import { describe, expect, it, vi } from "vitest";
import { readLines } from "./child.ts";
import { describeCarrier } from "./contract.ts";
import { callOf, Peer, type RawClient, textOf } from "./peer.ts";
import { createScenario } from "./scenario.ts";

describeCarrier("stdio", async (server, { closeGraceMs }) => {
  const handles: ReturnType<typeof serveStdio>[] = [];
  return {
    async connect() {
      const input = new PassThrough();
      const output = new PassThrough();
      handles.push(serveStdio(server, { input, output, closeGraceMs, drainMs: 0 }));
      return clientOf(input, output);
    },
    async close() {
      await Promise.all(handles.map((handle) => handle.close()));
    },
  };
});

function serve(options: StdioOptions = {}) {
  const scenario = createScenario();
  const input = new PassThrough();
  const output = new PassThrough();
  const handle = serveStdio(scenario.server, { input, output, ...options });
  return { ...scenario, input, output, handle, peer: new Peer(clientOf(input, output)) };
}

const bytesOf = (message: object): Buffer => Buffer.from(`${JSON.stringify(message)}\n`);

describe("bytes on stdio", () => {
  it("may come one by one, with characters of four bytes", async () => {
    const { input, peer } = serve();
    for (const byte of bytesOf(callOf(1, "say", { text: "😀 €" }))) input.write(Buffer.from([byte]));
    expect(textOf(await peer.answer(1))).toBe("😀 €");
  });

  it("may come as text, when somebody has set an encoding", async () => {
    const { input, peer } = serve();
    input.setEncoding("utf8");
    input.write(bytesOf(callOf(1, "say", { text: "😀 €" })));
    expect(textOf(await peer.answer(1))).toBe("😀 €");
  });

  it("may begin with a byte order mark, and lines may end in CRLF or be blank", async () => {
    const { peer } = serve();
    peer.send(`\ufeff${JSON.stringify(callOf(1, "count", { to: 1 }))}\r\n\r\n`);
    peer.send(`\n${JSON.stringify(callOf(2, "count", { to: 2 }))}`);
    expect(textOf(await peer.answer(1))).toBe("1");
    expect(textOf(await peer.answer(2))).toBe("2");
    expect(peer.received).toHaveLength(2);
  });

  it("are refused with -32700 and no id where they are not UTF-8, and reading goes on", async () => {
    const { input, peer } = serve();
    const bytes = bytesOf(callOf(1, "say", { text: "?" }));
    bytes[bytes.indexOf("?")] = 0xff;
    input.write(bytes);
    expect((await peer.complaint()).error?.code).toBe(-32700);
    peer.call(1, "count", { to: 1 });
    await peer.answer(1);
    expect(peer.received).toHaveLength(2);
  });

  it("are refused with -32600 and no id where a message is too large, and reading goes on", async () => {
    const { peer } = serve({ maxMessageBytes: 1_000 });
    peer.call(1, "say", { text: "x".repeat(1_000) });
    const { error } = await peer.complaint();
    expect(error).toEqual({ code: -32600, message: "The message is larger than 1000 bytes" });
    peer.call(1, "say", { text: "x" });
    expect(textOf(await peer.answer(1))).toBe("x");
  });

  it("hold 20 MB in one line where that is allowed", async () => {
    const { peer } = serve({ maxMessageBytes: 32 * 1_048_576 });
    peer.call(1, "say", { text: "x".repeat(20 * 1_048_576) });
    expect(textOf(await peer.answer(1))?.length).toBe(20 * 1_048_576);
  });
});

describe("streams that are not the process's own", () => {
  it("leave the console, stdout, signals and the process alone", async () => {
    const exit = vi.spyOn(process, "exit");
    const before = [process.stdout.write, process.listenerCount("SIGTERM")];
    const { input, handle } = serve();
    expect([process.stdout.write, process.listenerCount("SIGTERM")]).toEqual(before);
    input.end();
    await handle.closed;
    expect(exit).not.toHaveBeenCalled();
  });

  it.each([{ drainMs: -1 }, { maxMessageBytes: Number.NaN }, { writeTimeoutMs: 2 ** 31 }])(
    "are not touched with %j",
    (options) => {
      const input = new PassThrough();
      expect(() => serveStdio(createScenario().server, { input, output: input, ...options })).toThrow(RangeError);
      expect(input.listenerCount("data")).toBe(0);
    },
  );

  it("keep no listener once served, but one for errors that nobody else takes", async () => {
    const { input, output, handle } = serve();
    expect([input.listenerCount("close"), output.listenerCount("error")]).toEqual([1, 1]);
    await handle.close();
    for (const event of ["data", "close", "end"]) expect([event, input.listenerCount(event)]).toEqual([event, 0]);
    expect(output.listenerCount("close")).toBe(0);
    expect(() => input.emit("error", new Error("reset"))).not.toThrow();
    expect(() => output.emit("error", new Error("reset"))).not.toThrow();
    expect(() => new PassThrough().emit("error", new Error("reset"))).toThrow("reset");
    await serveStdio(createScenario().server, { input, output }).close();
    expect([input.listenerCount("error"), output.listenerCount("error")]).toEqual([1, 1]);
  });

  it("stay open for their owner after close()", async () => {
    const { input, output, handle } = serve();
    await handle.close();
    expect([input.destroyed, output.writableEnded]).toEqual([false, false]);
  });
});

describe("the end of input", () => {
  it("lets requests in flight finish", async () => {
    const { input, peer, handle, release } = serve({ drainMs: 10_000 });
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    input.end();
    await once(input, "end");
    release.next();
    expect(textOf(await peer.answer(1))).toBe("released");
    await handle.closed;
  });

  it("aborts what outlasts drainMs", async () => {
    const { input, peer, handle, aborted } = serve({ drainMs: 10 });
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    input.end();
    await handle.closed;
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    expect((await peer.answer(1)).error?.code).toBe(-32603);
  });

  it("may be a stream that was destroyed", async () => {
    const { input, peer, handle, aborted } = serve({ drainMs: 10 });
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    input.destroy(new Error("broken"));
    await handle.closed;
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
  });
});

describe("a reader of stdio", () => {
  it("that is gone aborts what runs, at once", async () => {
    const { output, peer, handle, aborted } = serve();
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    output.destroy(new Error("EPIPE"));
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    await handle.closed;
  });

  it("that takes nothing is given up after writeTimeoutMs", async () => {
    const { peer, handle, server, aborted } = serve({ writeTimeoutMs: 20 });
    const told = firstValueFrom(server.diagnostics);
    peer.pause();
    peer.call(1, "hold");
    peer.call(2, "big", { length: 100_000 });
    expect((await told).type).toBe("slow-client");
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    await handle.closed;
  });

  it("that takes nothing is no longer read, until it does", async () => {
    const { input, peer } = serve();
    peer.pause();
    let sent = 0;
    // More than fits: answers of 1 MiB, then whatever the input takes.
    while (sent < 20_000) {
      sent += 1;
      input.write(`{"jsonrpc":"2.0","id":${sent},"method":"${"x".repeat(200)}"}\n`);
      if (sent % 100 === 0) await new Promise(setImmediate);
    }
    expect(input.isPaused()).toBe(true);
    expect(input.writableLength).toBeGreaterThan(1_000_000);
    peer.resume();
    await peer.answer(sent);
    expect(peer.received).toHaveLength(sent);
  });
});

describe("input that was paused for a slow reader", () => {
  it("is not read on after close(), for it is its owner's again", async () => {
    const { input, peer, handle } = serve();
    peer.pause();
    for (let id = 0; !input.isPaused(); id += 1) peer.send({ jsonrpc: "2.0", id, method: "x".repeat(10_000) });
    const closed = handle.close();
    peer.resume();
    await closed;
    await new Promise(setImmediate);
    expect(input.isPaused()).toBe(true);
  });
});

describe("a long life on stdio", () => {
  it("leaves nothing behind of 20,000 calls", async () => {
    const { server } = createScenario();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const handle = serveStdio(server, { input, output });
    let received = 0;
    const results = new Subject<number>();
    readLines(output, (line) => {
      received += 1;
      const { id } = JSON.parse(line) as { id?: number };
      if (id !== undefined) results.next(id);
    });
    let last = 0;
    const run = async (count: number): Promise<void> => {
      const end = last + count;
      const done = firstValueFrom(results.pipe(filter((id) => id === end)));
      while (last < end) {
        last += 1;
        input.write(bytesOf(callOf(last, "count", { to: 2 }, last)));
      }
      await done;
    };
    const footprint = () => {
      collectGarbage();
      const listeners = [input, output, process].map((each) =>
        each.eventNames().map((name) => each.listenerCount(name)),
      );
      return { heap: process.memoryUsage().heapUsed, listeners };
    };

    for (let batch = 0; batch < 10; batch += 1) await run(500);
    const before = footprint();
    for (let batch = 0; batch < 30; batch += 1) await run(500);
    const after = footprint();
    expect(received).toBe(3 * 20_000);
    expect(after.listeners).toEqual(before.listeners);
    expect(after.heap - before.heap).toBeLessThan(2 * 1_048_576);
    await handle.close();
  });
});

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/** The other end of the two pipes. */
function clientOf(input: PassThrough, output: PassThrough): RawClient {
  const messages = new Subject<string>();
  readLines(output, (line) => messages.next(line));
  return {
    messages,
    send: (text) => input.write(`${text}\n`),
    close: () => {
      output.destroy();
      input.end();
    },
    pause: () => output.pause(),
    resume: () => output.resume(),
  };
}
