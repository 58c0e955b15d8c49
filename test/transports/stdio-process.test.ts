import { once } from "node:events";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkLifecycle } from "../oracle/index.ts";
import { fixture, startChild } from "./child.ts";
import { textOf } from "./peer.ts";

describe("stdout of a server process", () => {
  it("holds nothing but messages, whatever is printed", async () => {
    const { peer, lines, said, closed } = startChild("stdio-server.mjs");
    peer.call(1, "print", {}, "a");
    expect(textOf(await peer.answer(1))).toBe("printed");
    checkLifecycle(peer.received, { id: 1, method: "tools/call", progressToken: "a" });
    const printed = await said("called back");
    for (const text of ["printed while loading", "log", "info", "│ a", "written", "bytes", "error"]) {
      expect(printed).toContain(text);
    }
    peer.close();
    expect(await closed).toEqual([0, null]);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("is the program's own again once it serves no more", async () => {
    const { process: child, peer, lines, said, closed } = startChild("stdio-closing.mjs");
    await said("while");
    peer.call(1, "count", { to: 1 });
    await peer.answer(1);
    child.kill("SIGUSR2");
    expect(await closed).toEqual([0, null]);
    expect(lines).toEqual(["before", expect.stringContaining('"counted"'), "after"]);
  });

  it("brings the first update while the handler awaits only resolved promises", async () => {
    const { peer } = startChild("stdio-server.mjs");
    peer.call(0, "count", { to: 1 });
    await peer.answer(0);
    peer.call(1, "loop", {}, "a");
    await peer.update("a");
    const arrived = Date.now();
    const ended = Number(textOf(await peer.answer(1)));
    expect(ended - arrived).toBeGreaterThan(250);
    expect(peer.values("a").length).toBeGreaterThan(10);
  });

  it("costs constant memory when nobody reads it", async () => {
    const { peer, said } = startChild("stdio-server.mjs", ["--max-old-space-size=48"]);
    peer.pause();
    peer.call(1, "flood", { to: 200_000 }, "a");
    await said("flooded");
    peer.resume();
    expect(textOf(await peer.answer(1))).toBe("flooded");
    expect(peer.values("a").at(-1)).toBe(200_000);
    expect(peer.values("a").length).toBeLessThan(20_000);
    checkLifecycle(peer.received, { id: 1, method: "tools/call", progressToken: "a" });
  });
});

describe("a server process", () => {
  it("answers what is in flight after the end of input, and exits with 0", async () => {
    const { peer, closed } = startChild("stdio-server.mjs");
    peer.call(1, "pause", {}, "a");
    await peer.update("a");
    peer.close();
    expect(textOf(await peer.answer(1))).toBe("paused");
    expect(await closed).toEqual([0, null]);
  });

  it("aborts what does not end, and says so to the client", async () => {
    const { peer, said, closed } = startChild("stdio-server.mjs");
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    peer.close();
    expect((await peer.answer(1)).error?.code).toBe(-32603);
    await said("Disconnected");
    expect(await closed).toEqual([0, null]);
  });

  it("takes a last message that has no line end", async () => {
    const { process: child, peer, closed } = startChild("stdio-server.mjs");
    const request = { jsonrpc: "2.0", id: 1, method: "tools/call" };
    child.stdin.end(JSON.stringify(request));
    expect((await peer.answer(1)).error?.code).toBe(-32602);
    expect(await closed).toEqual([0, null]);
  });

  it("writes a large result whole to a slow reader before it leaves", async () => {
    const { peer, lines, closed } = startChild("stdio-server.mjs");
    peer.pause();
    peer.call(1, "big", { length: 300_000 });
    peer.call(2, "big", { length: 300_000 });
    peer.close();
    setImmediate(() => peer.resume());
    expect(await closed).toEqual([0, null]);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(JSON.parse(line).result.content[0].text).toHaveLength(300_000);
  });

  it("aborts, flushes and exits on SIGTERM", async () => {
    const { process: child, peer, said, closed } = startChild("stdio-server.mjs");
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
    expect((await peer.answer(1)).error?.code).toBe(-32603);
    await said("Disconnected");
  });

  it("exits whatever its program has left running", async () => {
    const { peer, closed } = startChild("stdio-server.mjs");
    peer.call(1, "linger");
    await peer.answer(1);
    peer.close();
    expect(await closed).toEqual([0, null]);
  });

  it("exits though nobody reads what it printed to stderr", async () => {
    const { process: child, peer } = startChild("stdio-server.mjs");
    const exited = once(child, "exit");
    child.stderr.pause();
    peer.call(1, "shout");
    peer.call(2, "linger");
    await peer.answer(2);
    peer.close();
    expect(await exited).toEqual([0, null]);
  });

  it("exits though nobody reads its stdout", async () => {
    const { process: child, peer, said } = startChild("stdio-server.mjs");
    const exited = once(child, "exit");
    peer.pause();
    peer.call(1, "flood", { to: 2_000 }, "a");
    await said("flooded");
    peer.close();
    expect(await exited).toEqual([0, null]);
  });

  it("goes on when nobody reads its stderr any more", async () => {
    const { process: child, peer, closed } = startChild("stdio-server.mjs");
    child.stderr.destroy();
    for (const id of [1, 2, 3]) {
      peer.call(id, "print");
      expect(textOf(await peer.answer(id))).toBe("printed");
    }
    peer.close();
    expect(await closed).toEqual([0, null]);
  });

  it("leaves when nobody reads its stdout any more", async () => {
    const { process: child, peer, said, closed } = startChild("stdio-server.mjs");
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    peer.call(2, "chatter", {}, "b");
    await peer.update("b");
    child.stdout.destroy();
    await said("Disconnected");
    expect(await closed).toEqual([0, null]);
  });

  it("leaves without a crash or a spin when its stderr is gone as well", async () => {
    const { process: child, peer, closed } = startChild("stdio-server.mjs");
    peer.call(1, "chatter", {}, "a");
    await peer.update("a");
    child.stderr.destroy();
    child.stdout.destroy();
    expect(await closed).toEqual([0, null]);
  });
});

describe("the official client over stdio", () => {
  async function connect() {
    const transport = new StdioClientTransport({
      command: process.execPath,
      // This process may be busy for longer than the default gap; what is tested here is the order.
      args: [fixture("stdio-server.mjs"), "500"],
      stderr: "pipe",
    });
    const client = new Client(
      { name: "official", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    const printed: string[] = [];
    transport.stderr?.on("data", (text) => printed.push(String(text)));
    await client.connect(transport);
    onTestFinished(() => client.close());
    return { client, printed, transport };
  }

  it("gets every update in order, then the result", async () => {
    const { client } = await connect();
    const values: number[] = [];
    const result = await client.callTool(
      { name: "count", arguments: { to: 200 } },
      { onprogress: ({ progress }) => values.push(progress) },
    );
    expect(values).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(result.content).toEqual([{ type: "text", text: "counted" }]);
  });

  it("cancels by its signal", async () => {
    const { client, printed } = await connect();
    const leaving = new AbortController();
    const call = client.callTool({ name: "hold" }, { signal: leaving.signal, onprogress: () => leaving.abort() });
    await expect(call).rejects.toThrow();
    const after = await client.callTool({ name: "count", arguments: { to: 1 } });
    expect(after.content).toEqual([{ type: "text", text: "counted" }]);
    await client.callTool({ name: "pause" });
    expect(printed.join("")).toContain("Cancelled");
  });
});
