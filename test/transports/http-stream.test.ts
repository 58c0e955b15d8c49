import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { createGzip } from "node:zlib";
import { Disconnected } from "mcp-headway";
import { createHttpListener, type HttpOptions, serveHttp } from "mcp-headway/http";
import { Observable, type Observer } from "rxjs";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Dispatch, Exchange, IncomingRequest, RequestEvent } from "../../src/events/index.ts";
import { begin, headersFor, readMessages, send } from "./http-client.ts";
import { callOf } from "./peer.ts";
import { servable } from "./servable.ts";

type Run = (events: Observer<RequestEvent>, request: IncomingRequest, exchange: Exchange) => unknown;

const call = JSON.stringify(callOf(1, "count", {}, "a"));
const progress = (value: number, message?: string): RequestEvent => ({
  type: "progress",
  progress: value,
  ...(message !== undefined && { message }),
});
const result = (text = "done"): RequestEvent => ({ type: "result", result: { text } });

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A dispatch of one run; `left` resolves to why its subscriber left. */
function scripted(run: Run) {
  const left = deferred<unknown>();
  const started = deferred<Observer<RequestEvent>>();
  const dispatch: Dispatch = (request, exchange) =>
    new Observable((subscriber) => {
      void run(subscriber, request, exchange);
      started.resolve(subscriber);
      return () => left.resolve(request.whyLeft?.());
    });
  return { ...servable(dispatch), left: left.promise, started: started.promise };
}

function finish(events: Observer<RequestEvent>, event = result()): void {
  events.next(event);
  events.complete();
}

async function serve(run: Run, options: HttpOptions = {}) {
  const server = scripted(run);
  const handle = await serveHttp(server, options);
  onTestFinished(() => handle.close({ graceMs: 0 }));
  return { ...handle, ...server };
}

/** The data lines of a stream, and how many comments were between. */
async function readStream(res: IncomingMessage): Promise<{ messages: string[]; comments: number }> {
  let text = "";
  for await (const chunk of res.setEncoding("utf8")) text += chunk;
  const events = text.split("\n\n").filter((event) => event !== "");
  return {
    messages: events.filter((event) => event.startsWith("data: ")).map((event) => event.slice(6)),
    comments: events.filter((event) => event === ":").length,
  };
}

/** What has come of a stream, and how to wait for more without letting faked time pass. */
function collect(res: IncomingMessage) {
  let text = "";
  res.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return {
    text: () => text,
    async has(part: string): Promise<void> {
      while (!text.includes(part)) await new Promise(setImmediate);
    },
  };
}

/** Reads in a thread of its own, which goes on while this one is in a loop; says in `seen` what has come. */
function readElsewhere(url: string, seen: Int32Array): Promise<string> {
  const program = `
    const { parentPort, workerData: { url, init, seen } } = require("node:worker_threads");
    fetch(url, init).then(async (response) => {
      let text = "";
      for await (const chunk of response.body) {
        Atomics.store(seen, 0, 1);
        text += Buffer.from(chunk);
      }
      parentPort.postMessage(text);
    });`;
  const init = { method: "POST", headers: headersFor(call), body: call };
  const worker = new Worker(program, { eval: true, workerData: { url, init, seen } });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
  });
}

function raw(url: string): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function rawPost(body: string, length = Buffer.byteLength(body)): string {
  const headers = { Host: "localhost", ...headersFor(body), "Content-Length": String(length) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

afterEach(() => void vi.useRealTimers());

describe("a stream", () => {
  it("begins with the first update, says that it may not be held, and ends after the result", async () => {
    const { url, started } = await serve((events) => events.next(progress(1)));
    const res = await begin(url, { body: call });
    expect(res.statusCode).toBe(200);
    expect(res.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    finish(await started);
    const { messages } = await readStream(res);
    expect(messages.map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "a", progress: 1 } },
      { jsonrpc: "2.0", id: 1, result: { text: "done" } },
    ]);
  });

  it("brings an error that follows an update, with the status that was sent", async () => {
    const { url } = await serve((events) => {
      events.next(progress(1));
      finish(events, { type: "error", error: { code: -32021, message: "missing" } });
    });
    const res = await begin(url, { body: call });
    expect(res.statusCode).toBe(200);
    const { messages } = await readStream(res);
    expect(JSON.parse(messages[1] ?? "")).toMatchObject({ id: 1, error: { code: -32021 } });
  });

  it("is not begun by a question, by an update without a token, or for who takes JSON alone", async () => {
    const { url } = await serve((events) => {
      events.next({ type: "elicitation", key: "k", request: { method: "elicitation/create", params: {} } });
      events.next(progress(1));
      finish(events);
    });
    const body = JSON.stringify(callOf(1, "count"));
    expect((await send(url, { body })).headers["content-type"]).toBe("application/json");
    const json = await send(url, { body: call, headers: { Accept: "application/json" } });
    expect(json.text).toBe('{"jsonrpc":"2.0","id":1,"result":{"text":"done"}}');
    expect((await send(url, { body: call })).headers["content-type"]).toBe("text/event-stream");
  });

  it("is never begun in JSON mode, which drops 100,000 updates and keeps the body whole", async () => {
    const run: Run = async (events, _, { drained, deliversProgress }) => {
      for (let value = 1; value <= 100_000; value += 1) events.next(progress(value));
      await drained();
      finish(events, result(String(deliversProgress)));
    };
    const { url } = await serve(run, { responses: "json" });
    const { headers, text } = await send(url, { body: call });
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(text)).toMatchObject({ result: { text: "false" } });
    const streaming = await serve(run);
    expect((await send(streaming.url, { body: call })).text).toContain('"text":"true"');
  });

  it("brings the first update out of a loop that lets nothing else run", async () => {
    const seen = new Int32Array(new SharedArrayBuffer(4));
    const { url } = await serve(async (events) => {
      const deadline = Date.now() + 10_000;
      for (let value = 1; Atomics.load(seen, 0) === 0 && Date.now() < deadline; value += 1) {
        events.next(progress(value));
        await undefined;
      }
      finish(events, result(String(Atomics.load(seen, 0))));
    });
    expect(await readElsewhere(url, seen)).toContain('"result":{"text":"1"}');
  });

  it("takes a request whose characters come in one byte at a time", async () => {
    const { url, requests } = await serve((events) => finish(events));
    const socket = raw(url);
    const bytes = Buffer.from(rawPost(JSON.stringify(callOf(1, "count", { text: "😀é" }))));
    socket.setNoDelay(true);
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    await new Promise((resolve) => socket.once("data", resolve));
    expect(requests[0]?.params.arguments).toEqual({ text: "😀é" });
  });
});

describe("a silent call", () => {
  it("becomes a stream after keepAliveMs and is kept alive by comments, until it ends", async () => {
    const { url, started } = await serve(() => undefined, { keepAliveMs: 15_000 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const answer = begin(url, { body: call });
    const events = await started;
    await vi.advanceTimersByTimeAsync(14_999);
    expect(vi.getTimerCount()).toBe(1);
    for (let minute = 0; minute < 6; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      await new Promise(setImmediate);
    }
    finish(events);
    const { messages, comments } = await readStream(await answer);
    expect(comments).toBe(24);
    expect(messages).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits that long after each update", async () => {
    const { url, started } = await serve((events) => events.next(progress(1)), { keepAliveMs: 1_000 });
    // With the clock of the updates as well, so that none of them waits for others.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const answer = begin(url, { body: call });
    const events = await started;
    const res = await answer;
    const { text, has } = collect(res);
    for (let value = 2; value < 5; value += 1) {
      await vi.advanceTimersByTimeAsync(999);
      events.next(progress(value));
      await has(`"progress":${value}}`);
    }
    await vi.advanceTimersByTimeAsync(999);
    expect(text()).not.toContain(":\n\n");
    await vi.advanceTimersByTimeAsync(1);
    await has(":\n\n");
    finish(events);
    await has('"result"');
    expect(text().match(/^data: /gm)).toHaveLength(5);
    expect(text().match(/^:$/gm)).toHaveLength(1);
  });

  it("has no timer where no stream is taken", async () => {
    const { url, started } = await serve(() => undefined);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = send(url, { body: call, headers: { Accept: "application/json" } });
    const events = await started;
    expect(vi.getTimerCount()).toBe(0);
    finish(events);
    expect((await answer).headers["content-type"]).toBe("application/json");
  });
});

describe("closing the response", () => {
  it("cancels the request once, and nothing more is written", async () => {
    const { url, left, started, diagnostics } = await serve((events) => events.next(progress(1)));
    const told: unknown[] = [];
    diagnostics.subscribe((diagnostic) => told.push(diagnostic));
    const res = await begin(url, { body: call });
    res.destroy();
    expect(await left).toBeInstanceOf(Disconnected);
    finish(await started);
    expect(told).toEqual([]);
  });

  it("cancels a request that has said nothing yet", async () => {
    const { url, left, started } = await serve(() => undefined);
    const req = request(url, { method: "POST", headers: headersFor(call) });
    req.on("error", () => undefined).end(call);
    await started;
    req.destroy();
    expect(await left).toBeInstanceOf(Disconnected);
  });

  it("while the body is read starts no handler", async () => {
    const { url, requests, server } = await serve((events) => finish(events));
    const socket = raw(url);
    const accepted = new Promise((resolve) => server.once("request", resolve));
    socket.write(rawPost(call, 1_000));
    const req = (await accepted) as IncomingMessage;
    const closed = new Promise((resolve) => req.once("close", resolve));
    socket.destroy();
    await closed;
    expect(requests).toHaveLength(0);
    expect((await send(url, { body: call })).status).toBe(200);
    expect(requests).toHaveLength(1);
  });

  it("cancels a request that waits behind another on its connection", async () => {
    const server = servable(({ whyLeft }) => new Observable(() => () => reasons.push(whyLeft?.())));
    const reasons: unknown[] = [];
    const handle = await serveHttp(server);
    onTestFinished(() => handle.close());
    const socket = raw(handle.url);
    socket.write(rawPost(call) + rawPost(call));
    await expect.poll(() => server.requests.length).toBe(2);
    socket.destroy();
    await expect.poll(() => reasons).toEqual([expect.any(Disconnected), expect.any(Disconnected)]);
  });
});

describe("a client that does not read", () => {
  const big = "x".repeat(1_000_000);
  const flood =
    (drain: Promise<unknown>, onTurn: () => void = () => undefined): Run =>
    async (events) => {
      for (let value = 1; value <= 100_000; value += 1) {
        events.next(progress(value, "m".repeat(100)));
        if (value % 1_000 !== 0) continue;
        await new Promise(setImmediate);
        onTurn();
      }
      await drain;
      finish(events, result(big));
    };

  it("costs one batch, and then gets the last update and a large result intact", async () => {
    const gate = deferred<void>();
    const reported = deferred<void>();
    const queued: number[] = [];
    const responses: ServerResponse[] = [];
    const onTurn = () => {
      queued.push(responses[0]?.writableLength ?? 0);
      if (queued.length === 100) reported.resolve();
    };
    const { url, server } = await serve(flood(gate.promise, onTurn));
    server.prependListener("request", (_, res) => responses.push(res));
    const res = await begin(url, { body: call });
    res.pause();
    await reported.promise;
    expect(queued.at(-1)).toBeGreaterThan(0);
    expect(Math.max(...queued)).toBeLessThan(20_000);
    gate.resolve();
    const { messages } = await readStream(res);
    const values = messages.slice(0, -1).map((text) => JSON.parse(text).params.progress);
    expect(values.at(-1)).toBe(100_000);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(JSON.parse(messages.at(-1) ?? "")).toMatchObject({ id: 1, result: { text: big } });
  });

  it("is dropped after writeTimeoutMs, and its handler aborted", async () => {
    const { url, left, diagnostics } = await serve(flood(new Promise(() => undefined)), { writeTimeoutMs: 100 });
    const told: string[] = [];
    diagnostics.subscribe(({ type }) => told.push(type));
    const res = await begin(url, { body: call });
    res.on("error", () => undefined).pause();
    expect(await left).toBeInstanceOf(Disconnected);
    expect(told).toEqual(["slow-client"]);
  });

  it("is not dropped while it takes something now and then", async () => {
    const { url, server } = await serve((events) => finish(events, result("x".repeat(16_000_000))), {
      writeTimeoutMs: 400,
    });
    let passedMs = 0;
    server.prependListener("request", (_, res) => {
      // Each part that was taken comes at the last moment.
      res.on("drain", () => {
        passedMs += 399;
        vi.advanceTimersByTime(399);
      });
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const res = await begin(url, { body: call });
    let size = 0;
    for await (const chunk of res) size += chunk.length;
    expect(size).toBeGreaterThan(16_000_000);
    expect(passedMs).toBeGreaterThan(4_000);
  });

  it("is dropped from a JSON answer, too", async () => {
    const { url, diagnostics, server } = await serve((events) => finish(events, result("x".repeat(30_000_000))), {
      writeTimeoutMs: 100,
    });
    const told = new Promise((resolve) => diagnostics.subscribe(({ type }) => resolve(type)));
    const accepted = new Promise<ServerResponse>((resolve) => server.once("request", (_, res) => resolve(res)));
    const res = await begin(url, { body: call });
    res.on("error", () => undefined).pause();
    expect(await told).toBe("slow-client");
    expect((await accepted).destroyed).toBe(true);
  });
});

/** Middleware that compresses what may be transformed, the way the usual ones do. */
function compressing(listener: (req: IncomingMessage, res: ServerResponse) => void) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const write = res.write.bind(res) as (chunk: unknown, encoding?: unknown) => boolean;
    const end = res.end.bind(res) as (chunk?: unknown) => ServerResponse;
    const writeHead = res.writeHead.bind(res) as (status: number, headers: object) => ServerResponse;
    let gzip: ReturnType<typeof createGzip> | undefined;
    Object.assign(res, {
      writeHead(status: number, headers: Record<string, string>) {
        if (headers["Cache-Control"]?.includes("no-transform")) return writeHead(status, headers);
        const { "Content-Length": _, ...kept } = headers;
        gzip = createGzip();
        gzip.on("data", (chunk) => write(chunk)).on("end", () => end());
        gzip.on("drain", () => res.emit("drain"));
        return writeHead(status, { ...kept, "Content-Encoding": "gzip" });
      },
      // They know of two parameters, and hand on what they do not compress.
      write: (chunk: unknown, encoding: unknown) => (gzip === undefined ? write(chunk, encoding) : gzip.write(chunk)),
      end: (chunk?: unknown) => (gzip === undefined ? end(chunk) : gzip.end(chunk)),
    });
    listener(req, res);
  };
}

describe("behind a compressing middleware", () => {
  async function serveCompressed(run: Run): Promise<string> {
    const http = createServer(compressing(createHttpListener(scripted(run))));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => http.closeAllConnections());
    onTestFinished(() => void http.close());
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  it("an update is there before the result", async () => {
    const gate = deferred<void>();
    const url = await serveCompressed(async (events) => {
      events.next(progress(1));
      await gate.promise;
      finish(events);
    });
    const res = await begin(url, { body: call });
    const first = await new Promise<string>((resolve) => readMessages(res, resolve));
    expect(first).toContain('"progress":1');
    gate.resolve();
    await new Promise((resolve) => res.once("end", resolve));
  });

  it.each([10, 5_000_000])("a JSON body of %i characters is compressed and whole", async (length) => {
    const url = await serveCompressed((events) => finish(events, result("x".repeat(length))));
    const response = await fetch(url, { method: "POST", headers: headersFor(call), body: call });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(length) } });
  });
});

describe("a graceful close", () => {
  it("refuses new requests, tells those in flight and lets them finish", async () => {
    const { url, started, server, close } = await serve((events, { closing }) => {
      events.next(progress(1));
      closing?.addEventListener("abort", () => events.next(progress(2)));
    });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const idle = await begin(url, { method: "GET", agent });
    await new Promise((resolve) => idle.resume().once("end", resolve));
    const answer = await begin(url, { body: call });
    const late = raw(url);
    await new Promise((resolve) => server.once("connection", resolve));
    const closed = close({ graceMs: 10_000 });
    // It is refused before its body is there.
    late.write(rawPost(call, 1_000));
    const refused = await new Promise<Buffer>((resolve) => late.once("data", resolve));
    expect(refused.toString()).toMatch(/^HTTP\/1.1 503 /);
    finish(await started);
    const { messages } = await readStream(answer);
    expect(messages).toHaveLength(3);
    await closed;
  });

  it("answers a request whose body is not there yet, and starts no handler for it", async () => {
    const { url, requests, server, close } = await serve((events) => finish(events));
    expect((await send(url, { body: call })).status).toBe(200);
    const socket = raw(url);
    const accepted = new Promise((resolve) => server.once("request", resolve));
    socket.write(rawPost(call, Buffer.byteLength(call)).slice(0, -1));
    await accepted;
    const answer = new Promise<Buffer>((resolve) => socket.once("data", resolve));
    const closed = close({ graceMs: 0 });
    await Promise.resolve();
    socket.write(call.slice(-1));
    expect((await answer).toString()).toMatch(/^HTTP\/1.1 503 /);
    await closed;
    expect(requests).toHaveLength(1);
  });

  it("answers what outlasts its grace with an error and aborts it", async () => {
    const { url, left, started, close } = await serve(() => undefined);
    const silent = send(url, { body: call });
    await started;
    await close({ graceMs: 0 });
    expect(await left).toBeInstanceOf(Disconnected);
    const { status, text } = await silent;
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32603 } });
  });
});

it("leaves nothing behind after thousands of calls on one connection", async () => {
  const { url, server } = await serve((events) => {
    events.next(progress(1));
    finish(events);
  });
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const listeners = () => sockets.flatMap((socket) => socket.eventNames().map((name) => socket.listenerCount(name)));
  await send(url, { body: call, agent });
  const before = listeners();
  for (let count = 0; count < 3_000; count += 1) await send(url, { body: call, agent });
  expect(sockets).toHaveLength(1);
  expect(listeners()).toEqual(before);
  expect(warnings).toEqual([]);
});

it("leaves nothing behind after requests that waited behind each other", async () => {
  const { url, server } = await serve((events) => finish(events));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const socket = raw(url);
  const peer = await accepted;
  const answers = async (count: number) => {
    let text = "";
    const answered = new Promise<void>((resolve) => {
      const onData = (chunk: Buffer) => {
        text += chunk;
        if (text.split('"text":"done"').length <= count) return;
        socket.off("data", onData);
        resolve();
      };
      socket.on("data", onData);
    });
    socket.write(rawPost(call.replace(',"progressToken":"a"', "")).repeat(count));
    await answered;
  };
  await answers(2);
  await expect.poll(() => peer.listenerCount("close")).toBeLessThan(6);
  const before = peer.listenerCount("close");
  await answers(20);
  await expect.poll(() => peer.listenerCount("close")).toBe(before);
});
