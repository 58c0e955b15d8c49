import { Cancelled, Disconnected, McpError } from "mcp-headway";
import { createHttpListener } from "mcp-headway/http";
import { serveStdio } from "mcp-headway/stdio";
import { serveWebSocket } from "mcp-headway/websocket";
import { firstValueFrom } from "rxjs";
import { describe, expect, it, vi } from "vitest";
import { Session, type SessionOptions } from "../../src/transports/serve.ts";
import type { Sink } from "../../src/transports/sink.ts";
import { bare } from "../../src/wire/index.ts";
import { type Asker, asker } from "./asking.ts";
import { callOf, initialize, legacyCallOf, type Message, metaOf } from "./peer.ts";

const turn = () => new Promise(setImmediate);

/** A connection whose other end takes what it is told to. */
function connect(options: Partial<SessionOptions> = {}, server: Asker = asker()) {
  const written: Message[] = [];
  const dones: (() => void)[] = [];
  const sink: Sink = {
    get idle() {
      return dones.length === 0;
    },
    write(frames, _last, writer) {
      written.push(...frames.map((frame) => JSON.parse(frame) as Message));
      dones.push(() => writer.done());
    },
  };
  const session = new Session(server, sink, { framing: bare, drop: vi.fn(), ...options });
  const take = async (): Promise<void> => {
    await turn();
    for (const done of dones.splice(0)) done();
    await turn();
  };
  const send = (message: object): void => session.receive(JSON.stringify(message));
  const shake = async (version?: string): Promise<void> => {
    send(initialize(version));
    await take();
    written.length = 0;
  };
  const codes = () => written.map(({ error }) => error?.code);
  return { ...server, session, send, take, shake, written, codes };
}

const request = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });

describe("the era of a request", () => {
  it("is legacy after a handshake, with what it said of version and client", async () => {
    const { send, take, exchanges, requests } = connect();
    send(initialize("2025-06-18", { elicitation: {}, custom: { a: 1 } }));
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    send(legacyCallOf(1, "any", {}, 0));
    await take();
    expect(requests.map(({ method, progressToken }) => [method, progressToken])).toEqual([
      ["initialize", undefined],
      ["tools/call", 0],
    ]);
    for (const exchange of exchanges) {
      expect(exchange).toMatchObject({
        era: "legacy",
        protocolVersion: "2025-06-18",
        client: { info: { name: "peer" }, capabilities: { elicitation: {}, custom: { a: 1 } } },
      });
    }
  });

  it("is modern with an envelope, whatever came before and whatever the method", async () => {
    const { send, shake, exchanges } = connect();
    send(callOf(1, "any"));
    await shake();
    send(callOf(2, "any"));
    send(request("initialize", { _meta: metaOf(), protocolVersion: "2025-11-25", capabilities: {} }, 3));
    send(legacyCallOf(4, "any"));
    expect(exchanges.map(({ era }) => era)).toEqual(["modern", "legacy", "modern", "modern", "legacy"]);
  });

  it("is none without either", async () => {
    const { send, take, codes, requests, shake } = connect();
    for (const method of ["tools/call", "ping", "server/discover", "notifications/initialized"]) {
      send(request(method));
    }
    send(request("tools/call", { _meta: { progressToken: 1 } }));
    await take();
    expect(codes()).toEqual([-32602, -32602, -32602, -32602, -32602]);
    expect(requests).toHaveLength(0);
    await shake();
    send(request("ping"));
    expect(requests).toHaveLength(2);
  });

  it("is none after a handshake that failed", async () => {
    const { send, take, codes } = connect({}, asker({ code: -32603, message: "no" }));
    send(initialize());
    send(legacyCallOf(1, "any"));
    await take();
    expect(codes()).toEqual([-32603, -32602]);
  });

  it("does not make a malformed envelope a legacy request", async () => {
    const { send, shake, take, codes } = connect();
    await shake();
    send(request("tools/call", { _meta: { ...metaOf(), progressToken: null } }));
    await take();
    expect(codes()).toEqual([-32602]);
  });
});

describe("a handshake", () => {
  it.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["1999-01-01", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
    ["", "2025-11-25"],
  ])("for %j agrees on %s", async (asked, agreed) => {
    const { send, take, written } = connect();
    send(initialize(asked));
    await take();
    expect(written).toMatchObject([{ id: "handshake", result: { protocolVersion: agreed } }]);
  });

  it.each([
    [{}],
    [{ protocolVersion: 1, capabilities: {} }],
    [{ protocolVersion: "2025-11-25" }],
    [{ protocolVersion: "2025-11-25", capabilities: { elicitation: true } }],
  ])("with the params %j is -32602 and begins nothing", async (params) => {
    const { send, take, codes, requests } = connect();
    send(request("initialize", params));
    send(legacyCallOf(2, "any"));
    await take();
    expect(codes()).toEqual([-32602, -32602]);
    expect(requests).toHaveLength(0);
  });

  it("may be made again: the last one counts", async () => {
    const { send, shake, exchanges } = connect();
    await shake("2025-11-25");
    await shake("2025-03-26");
    send(legacyCallOf(1, "any"));
    expect(exchanges[2]?.protocolVersion).toBe("2025-03-26");
  });

  it("is refused by a server of the modern era alone, which names what it speaks", async () => {
    const { send, take, written, requests } = connect({ legacy: "reject" });
    send(initialize());
    send(legacyCallOf(1, "any"));
    await take();
    expect(written).toMatchObject([
      { id: "handshake", error: { code: -32602, data: { supported: ["2026-07-28"] } } },
      { id: 1, error: { code: -32602 } },
    ]);
    expect(written[0]?.error?.message).toContain("2026-07-28");
    send(callOf(2, "any"));
    expect(requests).toHaveLength(1);
  });

  it("is served or rejected and nothing else", () => {
    // @ts-expect-error
    expect(() => serveStdio(asker(), { legacy: "maybe" })).toThrow('Expected `legacy` to be "serve" or "reject"');
    // @ts-expect-error
    expect(() => createHttpListener(asker(), { legacy: "no" })).toThrow(TypeError);
    // @ts-expect-error
    return expect(serveWebSocket(asker(), { legacy: true })).rejects.toThrow(TypeError);
  });
});

describe("both eras on one connection", () => {
  it("share its ids and tokens", async () => {
    const { send, shake, take, written } = connect();
    await shake();
    send(callOf(1, "any", {}, "a"));
    send(legacyCallOf(1, "any"));
    send(legacyCallOf(2, "any", {}, "a"));
    await take();
    expect(written).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 2, error: { code: -32602 } },
    ]);
  });

  it("are asked by the legacy request alone", async () => {
    const { send, shake, take, written, runs } = connect();
    await shake();
    send(callOf(1, "any"));
    const modern = await firstValueFrom(runs);
    const answers = modern.ask();
    await take();
    expect([written, answers]).toEqual([[], []]);
  });
});

describe("a question", () => {
  async function open(options: Partial<SessionOptions> = {}) {
    const connection = connect(options);
    await connection.shake();
    connection.send(legacyCallOf(1, "any", {}, "a"));
    const run = await firstValueFrom(connection.runs);
    return { ...connection, run };
  }

  it("is a request of the server, with an id of the server's own", async () => {
    const { run, take, written, send } = await open();
    const answers = run.ask({ message: "?" });
    await take();
    const [question] = written;
    expect(question).toEqual({
      jsonrpc: "2.0",
      id: expect.any(String),
      method: "elicitation/create",
      params: { message: "?" },
    });
    send({ jsonrpc: "2.0", id: question?.id, result: { action: "accept", content: { a: 1 } } });
    expect(answers).toEqual([{ action: "accept", content: { a: 1 } }]);
  });

  it("is answered with the client's error as it is", async () => {
    const { run, take, written, send } = await open();
    const answers = run.ask();
    await take();
    send({ jsonrpc: "2.0", id: written[0]?.id, error: { code: -1, message: "no user", data: { a: 1 } } });
    expect(answers).toEqual([new McpError(-1, "no user", { a: 1 })]);
    expect(answers[0]).toMatchObject({ code: -1, data: { a: 1 } });
  });

  it("follows the update that found no room, and precedes what comes after it", async () => {
    const { run, take, written } = await open();
    const message = "x".repeat(20_000);
    for (let progress = 1; progress <= 10; progress += 1) run.emit({ type: "progress", progress, message });
    run.ask();
    run.ask();
    run.emit({ type: "progress", progress: 11 });
    run.finish();
    for (let writes = 0; writes < 5; writes += 1) await take();
    const order = written.map(({ method, id, params }) =>
      method === "elicitation/create" ? "?" : (params?.progress ?? id),
    );
    expect(order.slice(0, 2)).toEqual([1, 2]);
    expect(order).toContain(10);
    expect(order.filter((each) => each === "?")).toHaveLength(2);
    expect(order.indexOf("?")).toBe(order.indexOf(10) + 1);
    expect(order.lastIndexOf("?")).toBe(order.indexOf("?") + 1);
    expect(order.slice(order.lastIndexOf("?")).filter((each) => each === 11)).toHaveLength(1);
    expect(order.at(-1)).toBe(1);
  });

  it("that has no JSON form fails and is not sent", async () => {
    const { run, take, written } = await open();
    expect(run.ask({ big: 1n })).toEqual([expect.any(TypeError)]);
    await take();
    expect(written).toEqual([]);
    run.ask();
    await take();
    expect(written).toHaveLength(1);
  });

  it("is withdrawn before the result of its request, and not answered any more", async () => {
    const { run, take, written, send } = await open();
    const answers = run.ask();
    run.finish();
    await take();
    const id = written[0]?.id;
    expect(written.slice(1)).toMatchObject([
      { method: "notifications/cancelled", params: { requestId: id, reason: expect.any(String) } },
      { id: 1, result: { ok: true } },
    ]);
    expect(answers).toEqual([expect.any(Disconnected)]);
    send({ jsonrpc: "2.0", id, result: {} });
    expect(answers).toHaveLength(1);
  });

  it("that was answered is not withdrawn", async () => {
    const { run, take, written, send } = await open();
    run.ask();
    await take();
    send({ jsonrpc: "2.0", id: written[0]?.id, result: {} });
    run.finish();
    await take();
    expect(written.map(({ method, id }) => method ?? id)).toEqual(["elicitation/create", 1]);
  });

  it("is withdrawn when the client cancels, after the handler was told why", async () => {
    const { run, take, written, send, left } = await open();
    const answers = run.ask();
    await take();
    const told: unknown[] = [];
    left.subscribe((reason) => told.push(reason, answers.length));
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await take();
    expect(told).toEqual([expect.any(Cancelled), 0]);
    expect(answers).toEqual([expect.any(Cancelled)]);
    expect(written.slice(1)).toMatchObject([{ params: { requestId: written[0]?.id } }]);
    expect(written).toHaveLength(2);
  });

  it("is not taken back in silence with what its cancelled request has said and was not written", async () => {
    const { run, take, written, send } = await open();
    run.emit({ type: "progress", progress: 1 });
    await turn();
    run.emit({ type: "progress", progress: 2 });
    run.ask();
    run.emit({ type: "progress", progress: 3 });
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await take();
    expect(written).toMatchObject([
      { params: { progress: 1 } },
      { method: "elicitation/create" },
      { method: "notifications/cancelled", params: { requestId: written[1]?.id } },
    ]);
    expect(written).toHaveLength(3);
  });

  it("is withdrawn when the server closes", async () => {
    const { run, take, written, session } = await open();
    const answers = run.ask();
    await take();
    const closed = session.close(0);
    await vi.waitFor(() => expect(answers).toEqual([expect.any(Disconnected)]));
    await take();
    await closed;
    expect(written.slice(1)).toMatchObject([{ method: "notifications/cancelled" }, { id: 1, error: { code: -32603 } }]);
  });

  it("fails when the connection is lost, and nothing is written", async () => {
    const { run, take, written, session } = await open();
    const answers = run.ask();
    await take();
    session.disconnect();
    expect(answers).toEqual([expect.any(Disconnected)]);
    await take();
    expect(written).toHaveLength(1);
  });
});
