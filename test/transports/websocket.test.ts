import { once } from "node:events";
import { Agent, createServer } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { Disconnected } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { type ListenOptions, serveWebSocket } from "mcp-headway/websocket";
import { firstValueFrom, Subject } from "rxjs";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { describeCarrier } from "./contract.ts";
import { parseFrames } from "./frames.ts";
import { send } from "./http-client.ts";
import { callOf, textOf } from "./peer.ts";
import { createScenario } from "./scenario.ts";
import { clientOf, connectPeer, maskedClose, maskedText, openBare, openSocket, upgradeStatus } from "./socket.ts";

describeCarrier("WebSocket", async (server, { closeGraceMs }) => {
  const { url, close } = await serveWebSocket(server, { closeGraceMs });
  return { connect: async () => clientOf(await openSocket(url)), close };
});

async function serve(options: ListenOptions = {}) {
  const scenario = createScenario();
  const handle = await serveWebSocket(scenario.server, { closeGraceMs: 20, ...options });
  onTestFinished(() => handle.close());
  return { ...scenario, handle, url: handle.url, port: new URL(handle.url).port };
}

describe("an upgrade", () => {
  it("agrees on the sub-protocol mcp, whatever else is offered", async () => {
    const { url } = await serve();
    const socket = new WebSocket(url, ["other", "mcp"]);
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    expect(socket.protocol).toBe("mcp");
    expect(socket.extensions).toBe("");
  });

  it("is refused without the sub-protocol", async () => {
    const { url } = await serve();
    expect(await upgradeStatus(url, {}, [])).toBe(400);
    expect(await upgradeStatus(url, {}, ["mcp2"])).toBe(400);
    expect(await upgradeStatus(url)).toBe(101);
  });

  it.each([
    ["http://evil.example", 403],
    ["http://localhost.evil.example", 403],
    ["http://localhost:80001", 403],
    ["http://127.0.0.1", 403],
    ["https://127.0.0.1:PORT", 403],
    ["null", 403],
    ["", 403],
    ["https://app.example.evil.example", 403],
    ["https://app.example", 101],
    ["http://127.0.0.1:PORT", 101],
  ])("from %j gets %i", async (origin, status) => {
    const { url, port } = await serve({ allowedOrigins: ["https://app.example"] });
    expect(await upgradeStatus(url, { Origin: origin.replace("PORT", port) })).toBe(status);
    expect(await upgradeStatus(url)).toBe(101);
  });

  it.each([
    [{ allowedOrigins: ["null"] }, "Expected `allowedOrigins[0]` to be an origin like https://app.example"],
    [{ allowedOrigins: ["https://app.example/"] }, "Expected `allowedOrigins[0]`"],
    [{ pingMs: Number.POSITIVE_INFINITY }, "Expected `pingMs` to be between 1 and 2147483647, got Infinity"],
    [{ maxMessageBytes: 0 }, "Expected `maxMessageBytes`"],
  ])("is not taken at all with %j", async (options, message) => {
    await expect(serveWebSocket(createScenario().server, options)).rejects.toThrow(message);
  });

  it("that names a foreign host on a loopback address gets 403", async () => {
    const { url, port } = await serve({ allowedHosts: ["mine.example"] });
    expect(await upgradeStatus(url, { Host: "evil.example" })).toBe(403);
    expect(await upgradeStatus(url, { Host: `localhost:${port}` })).toBe(101);
    expect(await upgradeStatus(url, { Host: "mine.example" })).toBe(101);
  });

  it("to another path gets 404, and a plain request 426", async () => {
    const { url, port } = await serve();
    expect(await upgradeStatus(`${url}2`)).toBe(404);
    expect(await upgradeStatus(`${url}?query=1`)).toBe(101);
    expect((await fetch(`http://127.0.0.1:${port}/mcp`)).status).toBe(426);
  });
});

describe("a shared HTTP server", () => {
  async function share() {
    const http = createServer((_, response) => response.end("plain"));
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    onTestFinished(() => void http.close());
    const address = http.address();
    if (typeof address !== "object" || address === null) throw new Error("Expected an address");
    return { http, authority: `127.0.0.1:${address.port}` };
  }

  it("keeps answering requests, and stays open when the carrier closes", async () => {
    const { http, authority } = await share();
    const { close } = await serveWebSocket(createScenario().server, { server: http, path: "/socket" });
    const { socket, peer } = await connectPeer(`ws://${authority}/socket`);
    peer.call(1, "count", { to: 1 });
    await peer.answer(1);
    const left = once(socket, "close");
    await close();
    expect((await left)[0]).toBe(1001);
    expect(await (await fetch(`http://${authority}/`)).text()).toBe("plain");
    expect(http.listenerCount("upgrade")).toBe(0);
  });

  it("leaves other paths to who else listens for upgrades", async () => {
    const { http, authority } = await share();
    const [one, two] = [createScenario(), createScenario()];
    const first = await serveWebSocket(one.server, { server: http, path: "/one" });
    const second = await serveWebSocket(two.server, { server: http, path: "/two" });
    for (const path of ["one", "two"]) expect(await upgradeStatus(`ws://${authority}/${path}`)).toBe(101);
    await second.close();
    expect(await upgradeStatus(`ws://${authority}/two`)).toBe(404);
    await first.close();
  });
});

describe("a shared server where others listen for upgrades", () => {
  async function shareWithOthers() {
    const scenario = createScenario();
    const handle = await serveHttp(scenario.server, { closeGraceMs: 0 });
    onTestFinished(() => handle.close());
    return { ...scenario, handle, url: handle.url.replace("http", "ws") };
  }
  const upgradeText = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

  it("survives a reset of an upgrade that nobody serves", async () => {
    const { server, handle, url } = await shareWithOthers();
    const resets = new Subject<unknown>();
    handle.server.on("upgrade", (_, socket) => void socket.once("close", () => resets.next("closed")));
    await serveWebSocket(server, { server: handle.server });
    const reset = firstValueFrom(resets);
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(upgradeText("/other")));
    handle.server.once("upgrade", () => socket.resetAndDestroy());
    await reset;
    expect(await upgradeStatus(url)).toBe(101);
  });

  it("answers 404 for those that nobody has begun to serve after a while", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { server, handle, url } = await shareWithOthers();
    const seen = new Subject<string | undefined>();
    await serveWebSocket(server, { server: handle.server });
    const slow: Duplex[] = [];
    handle.server.on("upgrade", ({ url }, socket) => {
      // As `ws` asks for, while it is looked up who that is.
      if (url === "/slow") slow.push(socket.on("error", () => undefined));
      seen.next(url);
    });
    const first = firstValueFrom(seen);
    const nobody = upgradeStatus(url.replace("/mcp", "/nobody"));
    await first;
    const second = firstValueFrom(seen);
    const later = upgradeStatus(url.replace("/mcp", "/slow"));
    await second;
    vi.advanceTimersByTime(2_000);
    expect(await nobody).toBe(404);
    slow[0]?.end("HTTP/1.1 418 I'm a teapot\r\nContent-Length: 0\r\n\r\n");
    expect(await later).toBe(418);
  });

  it("serves a request as it is whose offer of another protocol nobody wants", async () => {
    const { server, handle } = await shareWithOthers();
    await serveWebSocket(server, { server: handle.server });
    const body = JSON.stringify(callOf(1, "say", { text: "é".repeat(100_000) }));
    const headers = {
      Connection: "Upgrade, HTTP2-Settings",
      Upgrade: "h2c",
      "HTTP2-Settings": "AAMAAABkAARAAAAAAAIAAAAA",
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let count = 0; count < 3; count += 1) {
      const { status, text } = await send(handle.url, { body, headers, agent });
      expect([status, JSON.parse(text).result.content[0].text.length]).toEqual([200, 100_000]);
    }
  });
});

describe("the server of serveHttp", () => {
  it("closes although a WebSocket shares it and stays, once the grace is over", async () => {
    const { server, aborted } = createScenario();
    const handle = await serveHttp(server, { closeGraceMs: 50 });
    await serveWebSocket(server, { server: handle.server, path: "/socket" });
    const { socket, peer } = await connectPeer(`${handle.url.replace("http", "ws").replace("/mcp", "/socket")}`);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    const left = once(socket, "close");
    await handle.close();
    expect((await left)[0]).toBe(1006);
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
  });
});

describe("a socket", () => {
  it("closes with 1009 over a message that is too large, and aborts what runs", async () => {
    const { url, aborted } = await serve({ maxMessageBytes: 1_000 });
    const { socket, peer } = await connectPeer(url);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    const closed = once(socket, "close");
    peer.call(2, "say", { text: "x".repeat(1_000) });
    expect((await closed)[0]).toBe(1009);
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    expect(peer.received).toHaveLength(1);
  });

  it("closes with 1003 over a binary message", async () => {
    const { url, aborted } = await serve();
    const { socket, peer } = await connectPeer(url);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    const closed = once(socket, "close");
    socket.send(Buffer.from("{}"));
    expect((await closed)[0]).toBe(1003);
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
  });

  it("closes with 1007 over text that is not UTF-8", async () => {
    const { url } = await serve();
    const { socket } = await connectPeer(url);
    const closed = once(socket, "close");
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect((await closed)[0]).toBe(1007);
  });

  it("closes with 1001 after the grace of the carrier's close", async () => {
    const { url, handle } = await serve();
    const { socket, peer } = await connectPeer(url);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    const closed = once(socket, "close");
    await handle.close();
    expect((await closed)[0]).toBe(1001);
    expect((await peer.answer(1)).error?.code).toBe(-32603);
    await expect(openSocket(url)).rejects.toThrow();
  });

  it("is cut when the peer does not answer the close", async () => {
    const { url, handle } = await serve();
    const { socket } = await connectPeer(url);
    socket.pause();
    await handle.close();
    const closed = once(socket, "close");
    socket.resume();
    await closed;
  });

  it("writes nothing after a close that comes in the middle of a flood", async () => {
    const { url, aborted } = await serve();
    const { socket, peer } = await connectPeer(url);
    const failed = vi.fn();
    socket.on("error", failed);
    peer.call(0, "hold");
    peer.call(1, "flood", { to: 1_000_000 }, "a");
    await peer.update("a");
    const closed = once(socket, "close");
    socket.close(1000);
    expect((await closed)[0]).toBe(1000);
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    expect(failed).not.toHaveBeenCalled();
  });

  it("ends with its close frame when a peer that was behind leaves in the middle of a flood", async () => {
    const { url } = await serve();
    const bare = await openBare(url);
    const other = await connectPeer(url);
    bare.write(maskedText(JSON.stringify(callOf(1, "flood", { to: 60_000 }, "a"))));
    other.peer.call(1, "flood", { to: 30_000 });
    await other.peer.answer(1);
    bare.write(maskedClose);
    other.peer.call(2, "flood", { to: 5_000 });
    await other.peer.answer(2);
    const bytes: Buffer[] = [];
    bare.on("data", (chunk: Buffer) => bytes.push(chunk));
    await once(bare, "end");
    const frames = parseFrames(Buffer.concat(bytes));
    expect(frames.findIndex(({ first }) => first === 0x88)).toBe(frames.length - 1);
    expect(frames.at(-1)?.payload.readUInt16BE()).toBe(1000);
    expect(frames.length).toBeGreaterThan(1_000);
  });

  it("aborts at once what runs for a peer that broke the rules, even if that one stays", async () => {
    const { url, aborted } = await serve({ maxMessageBytes: 1_000 });
    const bare = await openBare(url);
    bare.write(maskedText(JSON.stringify(callOf(1, "hold", {}, "a"))));
    await once(bare, "data");
    bare.write(maskedText("", 1_001));
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    expect(bare.destroyed).toBe(false);
  });

  it("lets a ping pass between the parts of a message that waits", async () => {
    const { url } = await serve();
    const { socket, peer } = await connectPeer(url);
    socket.pause();
    for (const id of [1, 2, 3]) peer.call(id, "big", { length: 2_000_000 });
    const { peer: other } = await connectPeer(url);
    other.call(1, "flood", { to: 1_000 });
    await other.answer(1);
    socket.ping();
    const answered = once(socket, "pong");
    socket.resume();
    await answered;
    for (const id of [1, 2, 3]) expect(textOf(await peer.answer(id))).toBe("é".repeat(2_000_000));
  });

  it("is dropped when the client takes nothing for writeTimeoutMs", async () => {
    const { url, server, aborted } = await serve({ writeTimeoutMs: 50 });
    const told = firstValueFrom(server.diagnostics);
    const { socket, peer } = await connectPeer(url);
    socket.pause();
    peer.call(0, "hold");
    for (let id = 1; id <= 10; id += 1) peer.call(id, "big", { length: 1_000_000 });
    expect((await told).type).toBe("slow-client");
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
  });
});

describe("liveness", () => {
  afterEach(() => void vi.useRealTimers());

  async function ticking(autoPong: boolean) {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { url, aborted } = await serve({ pingMs: 1_000 });
    const connected = await connectPeer(url, { autoPong });
    /** One interval, and the ping that it brings. */
    const beat = async (): Promise<void> => {
      const pinged = once(connected.socket, "ping");
      vi.advanceTimersByTime(1_000);
      await pinged;
    };
    return { ...connected, url, aborted, beat };
  }

  it("drops a peer that has missed two pings", async () => {
    const { socket, peer, aborted, beat } = await ticking(false);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    await beat();
    await beat();
    expect(socket.readyState).toBe(WebSocket.OPEN);
    vi.advanceTimersByTime(1_000);
    expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    await once(socket, "close");
  });

  it("keeps one that answers with pongs", async () => {
    const { url, socket, beat } = await ticking(true);
    for (let count = 1; count <= 5; count += 1) {
      await beat();
      // The pong has arrived by the time a round trip beside it is over.
      await fetch(url.replace("ws", "http"));
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it("keeps one that answers no ping but speaks", async () => {
    const { socket, peer, beat } = await ticking(false);
    for (let id = 1; id <= 5; id += 1) {
      await beat();
      peer.call(id, "count", { to: 1 });
      await peer.answer(id);
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it("stops when the socket closes", async () => {
    const { socket, peer, beat } = await ticking(true);
    await beat();
    expect(vi.getTimerCount()).toBe(1);
    const closed = once(socket, "close");
    socket.close();
    await closed;
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
    expect(peer.received).toEqual([]);
  });
});
