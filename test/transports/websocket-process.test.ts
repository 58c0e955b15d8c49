import { fork } from "node:child_process";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/client";
import { Cancelled } from "mcp-headway";
import { WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import { serveWebSocket } from "mcp-headway/websocket";
import { firstValueFrom } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkLifecycle } from "../oracle/index.ts";
import { fixture } from "./child.ts";
import { textOf } from "./peer.ts";
import { createScenario } from "./scenario.ts";
import { connectPeer } from "./socket.ts";

describe("a WebSocket server in a process of its own", () => {
  async function start(execArgv: readonly string[] = []) {
    const child = fork(fixture("websocket-server.mjs"), { execArgv: [...execArgv], silent: true });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [url] = (await once(child, "message")) as [string];
    return { child, url };
  }

  it("brings the first update while the handler awaits only resolved promises", async () => {
    const { peer } = await connectPeer((await start()).url);
    peer.call(0, "count", { to: 1 });
    await peer.answer(0);
    peer.call(1, "loop", {}, "a");
    await peer.update("a");
    const arrived = Date.now();
    const ended = Number(textOf(await peer.answer(1)));
    expect(ended - arrived).toBeGreaterThan(250);
  });

  it("costs constant memory when a client does not read", async () => {
    const { child, url } = await start(["--max-old-space-size=48"]);
    const { socket, peer } = await connectPeer(url);
    socket.pause();
    peer.call(1, "flood", { to: 200_000 }, "a");
    await once(child.stderr ?? child, "data");
    socket.resume();
    expect(textOf(await peer.answer(1))).toBe("flooded");
    expect(peer.values("a").at(-1)).toBe(200_000);
    expect(peer.values("a").length).toBeLessThan(20_000);
    checkLifecycle(peer.received, { id: 1, method: "tools/call", progressToken: "a" });
  });

  it("lets its process end once it is closed, with a peer that never answers", async () => {
    const { child, url } = await start();
    const { socket } = await connectPeer(url);
    socket.pause();
    child.disconnect();
    expect((await once(child, "exit"))[0]).toBe(0);
  });
});

describe("the official client over WebSocket", () => {
  async function connect() {
    const scenario = createScenario();
    const { url, close } = await serveWebSocket(scenario.server, { closeGraceMs: 20 });
    onTestFinished(close);
    const client = new Client(
      { name: "official", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(new WebSocketClientTransport(url));
    onTestFinished(() => client.close());
    return { ...scenario, client };
  }

  it("gets every update in order, then the result", async () => {
    const { client } = await connect();
    const values: number[] = [];
    const result = await client.callTool(
      { name: "count", arguments: { to: 200 } },
      { onprogress: ({ progress }) => values.push(progress) },
    );
    expect(values).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(result.content).toEqual([{ type: "text", text: "200" }]);
  });

  it("cancels by its signal", async () => {
    const { client, aborted } = await connect();
    const leaving = new AbortController();
    const call = client.callTool({ name: "hold" }, { signal: leaving.signal, onprogress: () => leaving.abort() });
    await expect(call).rejects.toThrow();
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Cancelled);
    expect((await client.callTool({ name: "count", arguments: { to: 1 } })).isError).toBeFalsy();
  });
});
