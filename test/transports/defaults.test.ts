import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, Server } from "node:net";
import { PassThrough } from "node:stream";
import { Disconnected, type RequestEvent } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { serveStdio } from "mcp-headway/stdio";
import { serveWebSocket } from "mcp-headway/websocket";
import { NEVER, of, Subject } from "rxjs";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Session } from "../../src/transports/serve.ts";
import { bare } from "../../src/wire/index.ts";
import { readLines } from "./child.ts";
import { begin, headersFor, send } from "./http-client.ts";
import { callOf, Peer } from "./peer.ts";
import { createScenario, type Scenario, typesOf } from "./scenario.ts";
import { servable } from "./servable.ts";
import { connectPeer } from "./socket.ts";

/** A carrier as it is when nothing is configured, and a client on it. */
interface Served extends Scenario {
  readonly peer: Peer;
  close(): Promise<void>;
}

const call = JSON.stringify(callOf(1, "count", { to: 1 }));
const mebibytes = 4_194_304;
const turn = () => new Promise(setImmediate);
const fakeTimers = () =>
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });

afterEach(() => void vi.useRealTimers());

async function webSocket() {
  const scenario = createScenario();
  const handle = await serveWebSocket(scenario.server);
  const { socket, peer } = await connectPeer(handle.url);
  onTestFinished(() => {
    socket.terminate();
    return handle.close();
  });
  return { ...scenario, socket, peer, close: () => handle.close() };
}

function stdio() {
  const scenario = createScenario();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const handle = serveStdio(scenario.server, { input, output });
  const messages = new Subject<string>();
  readLines(output, (line) => messages.next(line));
  const peer = new Peer({ messages, send: (text) => input.write(`${text}\n`), close: () => input.end() });
  return { ...scenario, input, peer, close: () => handle.close() };
}

async function http(events = of<RequestEvent>({ type: "result", result: {} })) {
  const server = servable(() => events);
  const handle = await serveHttp(server);
  onTestFinished(() => handle.close({ graceMs: 0 }));
  return { ...server, ...handle };
}

describe("by default a message may have 4 MiB and no more", () => {
  it("on HTTP", async () => {
    const { url } = await http();
    const post = (length: number) => send(url, { body: call.padEnd(length), headers: headersFor(call) });
    expect((await post(mebibytes)).status).toBe(200);
    expect((await post(mebibytes + 1)).status).toBe(413);
  });

  it("on stdio", async () => {
    const { peer, input } = stdio();
    input.write(`${call.padEnd(mebibytes)}\n${call.padEnd(mebibytes + 1)}\n`);
    await peer.answer(1);
    expect((await peer.complaint()).error?.message).toContain(String(mebibytes));
    expect(peer.received.filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it("on WebSocket", async () => {
    const { peer, socket } = await webSocket();
    socket.send(call.padEnd(mebibytes));
    await peer.answer(1);
    const closed = once(socket, "close");
    socket.send(call.padEnd(mebibytes + 1));
    expect((await closed)[0]).toBe(1009);
  });
});

describe("by default 1,000 requests may be open and no more", () => {
  it("on HTTP", async () => {
    const { url, requests } = await http(NEVER);
    const lines = Object.entries({ Host: "localhost", "Content-Length": call.length, ...headersFor(call) });
    const post = `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${call}`;
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(post.repeat(1_000));
    await vi.waitFor(() => expect(requests).toHaveLength(1_000), 10_000);
    expect((await send(url, { body: call })).status).toBe(503);
    socket.destroy();
    await vi.waitFor(async () => expect((await begin(url, { body: "{" })).statusCode).toBe(400), 10_000);
  });

  it("on a connection", async () => {
    const { peer, release } = stdio();
    for (let id = 1; id <= 1_001; id += 1) peer.call(id, "hold");
    expect((await peer.answer(1_001)).error?.code).toBe(-32603);
    release.next();
    expect((await peer.answer(1_000)).error).toBeUndefined();
  });
});

describe("by default a carrier listens on this machine alone", () => {
  it.each([
    ["HTTP", serveHttp],
    ["WebSocket", serveWebSocket],
  ])("over %s", async (_, serve) => {
    const listen = vi.spyOn(Server.prototype, "listen");
    onTestFinished(() => listen.mockRestore());
    const handle = await serve(createScenario().server);
    onTestFinished(() => handle.close());
    expect(listen.mock.calls[0]?.slice(0, 2)).toEqual([0, "127.0.0.1"]);
  });
});

describe("by default a peer that takes nothing is given up after 30 seconds", () => {
  it("on HTTP", async () => {
    const { url, diagnostics, server } = await http(of({ type: "result", result: { text: "x".repeat(30_000_000) } }));
    const told: string[] = [];
    diagnostics.subscribe(({ type }) => told.push(type));
    const answering = once(server, "request");
    fakeTimers();
    const res = await begin(url, { body: call });
    res.on("error", () => undefined).pause();
    const [, response] = (await answering) as [unknown, ServerResponse];
    // The system takes what it has room for, at last on an acknowledgement that comes late, and then no more.
    for (let calm = 0, left = -1; calm < 20_000; calm += 1, await turn()) {
      if (left !== response.writableLength) calm = 0;
      left = response.writableLength;
    }
    await vi.advanceTimersByTimeAsync(29_999);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual(["slow-client"]);
  });

  it("on a connection", async () => {
    fakeTimers();
    const drop = vi.fn();
    const sink = { idle: false, write: vi.fn() };
    const { server } = createScenario();
    const told = typesOf(server);
    new Session(server, sink, { framing: bare, drop }).receive("no json");
    await turn();
    expect(sink.write).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(29_999);
    expect(drop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(drop).toHaveBeenCalledOnce();
    expect(told).toEqual(["slow-client"]);
  });
});

it("by default a silent answer is kept alive after 15 seconds", async () => {
  const { url, server, requests } = await http(NEVER);
  const answering = once(server, "request");
  fakeTimers();
  const answer = begin(url, { body: call });
  const [, response] = (await answering) as [unknown, ServerResponse];
  while (requests.length === 0) await turn();
  await vi.advanceTimersByTimeAsync(14_999);
  expect(response.headersSent).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect((await answer).headers["content-type"]).toBe("text/event-stream");
});

it("by default a WebSocket is pinged every 30 seconds", async () => {
  fakeTimers();
  const { socket } = await webSocket();
  const pings = vi.fn();
  socket.on("ping", pings);
  const pinged = once(socket, "ping");
  vi.advanceTimersByTime(29_999);
  vi.advanceTimersByTime(1);
  await pinged;
  expect(pings).toHaveBeenCalledOnce();
});

describe("by default an answer keeps a distance of 10 ms from the last update", () => {
  it.each<readonly [string, () => Promise<Served> | Served]>([
    ["stdio", stdio],
    ["WebSocket", webSocket],
  ])("on %s", async (_, serve) => {
    const { peer } = await serve();
    fakeTimers();
    peer.call(1, "last", {}, "a");
    await peer.update("a");
    vi.advanceTimersByTime(9);
    peer.call(2, "say", { text: "here" });
    await peer.answer(2);
    expect(peer.received).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await peer.answer(1);
  });
});

describe("what outlasts the grace that is the default is aborted", () => {
  it.each<readonly [string, number, () => Promise<Served> | Served, (served: Served) => unknown]>([
    ["5 seconds after the close of stdio", 5_000, stdio, ({ close }) => close()],
    ["5 seconds after the close of a WebSocket", 5_000, webSocket, ({ close }) => close()],
    ["1 second after the end of input on stdio", 1_000, stdio, ({ peer }) => peer.close()],
  ])("%s", async (_, graceMs, serve, end) => {
    const served = await serve();
    const reasons: unknown[] = [];
    served.aborted.subscribe((reason) => reasons.push(reason));
    served.peer.call(1, "hold", {}, "a");
    await served.peer.update("a");
    fakeTimers();
    void end(served);
    await turn();
    await vi.advanceTimersByTimeAsync(graceMs - 1);
    expect(reasons).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(reasons).toEqual([expect.any(Disconnected)]);
  });

  it("5 seconds after the close of an HTTP server", async () => {
    const { url, close, requests } = await http(NEVER);
    const answer = send(url, { body: call });
    while (requests.length === 0) await turn();
    fakeTimers();
    const closed = close();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(requests[0]?.whyLeft?.()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(requests[0]?.whyLeft?.()).toBeInstanceOf(Disconnected);
    vi.useRealTimers();
    expect((await answer).status).toBe(503);
    await closed;
  });
});
