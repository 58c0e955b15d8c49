import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { Cancelled, Disconnected } from "mcp-headway";
import { createHttpListener, type HttpOptions, serveHttp } from "mcp-headway/http";
import { firstValueFrom, of, Subject, skip } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../src/transports/listen.ts";
import { asker } from "./asking.ts";
import { begin, plainHeaders, type Received, readMessages, type Sent, send, sessionOf } from "./http-client.ts";
import { callOf, initialize, legacyCallOf, type Message, metaOf } from "./peer.ts";
import { servable } from "./servable.ts";

type Headers = NonNullable<Sent["headers"]>;

const bare: Headers = { "MCP-Protocol-Version": undefined, "Mcp-Method": undefined, "Mcp-Name": undefined };
const errorOf = ({ text }: Received): Message["error"] => (JSON.parse(text) as Message).error;
const notification = (method: string, params: object = {}) => ({ jsonrpc: "2.0", method, params });
const cancel = (requestId: unknown) => notification("notifications/cancelled", { requestId });
const call = legacyCallOf(1, "any", {}, "a");

async function serve(options: HttpOptions = {}) {
  const server = asker();
  const handle = await serveHttp(server, { closeGraceMs: 0, ...options });
  onTestFinished(() => handle.close());
  const sent = (message: object, headers: Headers): Sent => ({
    headers: { ...bare, ...headers },
    body: JSON.stringify(message),
  });
  const post = (message: object, headers: Headers = {}) => send(handle.url, sent(message, headers));
  const shake = async (version?: string): Promise<string> =>
    sessionOf(await post(initialize(version))) ?? expect.fail("Expected a session");
  /** A client in a session of its own. */
  const join = async (version?: string) => {
    const id = await shake(version);
    const session = { "Mcp-Session-Id": id };
    return {
      id,
      post: (message: object, headers: Headers = {}) => post(message, { ...session, ...headers }),
      /** Opens a request and resolves with its run. */
      open: async (message: object = call, headers: Headers = {}) => {
        const index = server.requests.filter(({ method }) => method !== "initialize").length;
        const response = begin(handle.url, sent(message, { ...session, ...headers }));
        const run = await firstValueFrom(server.runs.pipe(skip(index)));
        return { run, response: response.then(hear) };
      },
      end: () => send(handle.url, { method: "DELETE", headers: { ...bare, ...session } }),
    };
  };
  return { ...handle, ...server, post, shake, join };
}

/** What comes of a response. */
function hear(res: IncomingMessage) {
  const messages: Message[] = [];
  const arrived = new Subject<Message>();
  res.on("error", () => undefined);
  readMessages(res, (text) => {
    messages.push(JSON.parse(text) as Message);
    arrived.next(JSON.parse(text) as Message);
  });
  return { res, messages, ended: once(res, "end"), next: () => firstValueFrom(arrived) };
}

describe("a session", () => {
  it("begins with the answer to a handshake, under an id that nobody guesses", async () => {
    const { post, shake } = await serve();
    const { status, headers, text } = await post(initialize());
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(text).result).toEqual({ protocolVersion: "2025-11-25" });
    const ids = [sessionOf({ headers }), await shake(), await shake()];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it("does not begin with a handshake that fails, or a modern request", async () => {
    const { post } = await serve();
    const failed = await post({ ...initialize(), params: {} });
    expect([failed.status, errorOf(failed)?.code, sessionOf(failed)]).toEqual([200, -32602, undefined]);
    const modern = await post({ ...initialize(), params: { _meta: metaOf() } });
    expect([modern.status, sessionOf(modern)]).toEqual([400, undefined]);
    expect(sessionOf(await post(initialize()))).toBeDefined();
  });

  it("does not begin with a handshake that the server answers with an error", async () => {
    const handle = await serveHttp(asker({ code: -32603, message: "no" }));
    onTestFinished(() => handle.close());
    const refused = await send(handle.url, { headers: bare, body: JSON.stringify(initialize()) });
    expect([refused.status, sessionOf(refused)]).toEqual([200, undefined]);
    expect(JSON.parse(refused.text)).toMatchObject({ id: "handshake", error: { code: -32603, message: "no" } });
  });

  it("is ended by the close of its listener", async () => {
    const listener = createHttpListener(asker());
    const http = createServer(listener);
    const url = `http://${await listen(http, "127.0.0.1", 0)}`;
    onTestFinished(() => void http.close());
    const post = (message: object, session?: string) =>
      send(url, { headers: { ...bare, "Mcp-Session-Id": session }, body: JSON.stringify(message) });
    const session = sessionOf(await post(initialize()));
    expect((await post(cancel(1), session)).status).toBe(202);
    await listener.close();
    expect((await post(cancel(1), session)).status).toBe(503);
    http.closeAllConnections();
  });

  it("of 2024-11-05 is none: HTTP was another transport then", async () => {
    const { post } = await serve();
    for (const version of ["2024-11-05", "2026-07-28"]) {
      expect(JSON.parse((await post(initialize(version))).text).result).toEqual({ protocolVersion: "2025-11-25" });
    }
    expect(JSON.parse((await post(initialize("2025-03-26"))).text).result.protocolVersion).toBe("2025-03-26");
  });

  it("is what later messages name: 400 without one, 404 with an unknown one", async () => {
    const { post, requests, join } = await serve();
    for (const message of [call, cancel(1)]) {
      const missing = await post(message);
      expect([missing.status, errorOf(missing)?.code]).toEqual([400, -32602]);
    }
    for (const message of [call, cancel(1), initialize(), { jsonrpc: "2.0", id: 1, result: {} }]) {
      for (const id of ["unknown", "", "__proto__"]) {
        expect((await post(message, { "Mcp-Session-Id": id })).status).toBe(404);
      }
    }
    expect(JSON.parse((await post(call, { "Mcp-Session-Id": "unknown" })).text).id).toBe(1);
    expect(requests).toHaveLength(0);
    const { run, response } = await (await join()).open();
    run.finish();
    expect((await response).res.statusCode).toBe(200);
  });

  it("takes notifications and responses with 202", async () => {
    const { post } = await (await serve()).join();
    for (const message of [
      notification("notifications/initialized"),
      notification("notifications/unknown"),
      cancel(99),
      cancel(null),
      { jsonrpc: "2.0", id: "question-1", result: {} },
      { jsonrpc: "2.0", id: 7, error: { code: 1, message: "no" } },
    ]) {
      expect(await post(message)).toMatchObject({ status: 202, text: "" });
    }
  });

  it("is ended by DELETE, which aborts its requests, and is unknown then", async () => {
    const { join, left } = await serve();
    const [client, other] = [await join(), await join()];
    const { response } = await client.open();
    const { run, response: untouched } = await other.open();
    expect((await client.end()).status).toBe(204);
    expect(await firstValueFrom(left)).toBeInstanceOf(Disconnected);
    const { res, messages, ended } = await response;
    await ended;
    expect([res.statusCode, messages[0]?.id, messages[0]?.error?.code]).toEqual([404, 1, -32600]);
    expect((await client.post(call)).status).toBe(404);
    expect((await client.end()).status).toBe(404);
    run.finish();
    expect((await untouched).res.statusCode).toBe(200);
  });

  it("is not what a modern request is in, whatever it names", async () => {
    const { url, post, exchanges, runs } = await serve();
    const answer = send(url, { body: JSON.stringify(callOf(1, "any")), headers: { "Mcp-Session-Id": "unknown" } });
    (await firstValueFrom(runs)).finish();
    expect((await answer).status).toBe(200);
    expect(exchanges[0]?.era).toBe("modern");
    expect((await post(call, { "Mcp-Session-Id": "unknown" })).status).toBe(404);
  });

  it("keeps its ids apart from those of others, and refuses one that is in flight", async () => {
    const { join, requests } = await serve();
    const [client, other] = [await join(), await join()];
    const [first, second] = [await client.open(), await other.open()];
    const twice = await client.post(call);
    expect([twice.status, errorOf(twice)?.code, JSON.parse(twice.text).id]).toEqual([200, -32600, 1]);
    for (const { run } of [first, second]) run.finish();
    await Promise.all([first, second].map(async ({ response }) => (await response).ended));
    const { run, response } = await client.open();
    run.finish();
    expect((await response).res.statusCode).toBe(200);
    expect(requests).toHaveLength(5);
  });

  it("answers JSON-RPC errors with 200, also those that are 400 or 404 in the modern era", async () => {
    const client = await (await serve()).join();
    for (const code of [-32601, -32600, -32021, -32602, -32603]) {
      const { run, response } = await client.open();
      run.emit({ type: "error", error: { code, message: "no" } });
      const { res, messages, ended } = await response;
      await ended;
      expect([res.statusCode, messages[0]?.error?.code]).toEqual([200, code]);
    }
    const token = await client.post(legacyCallOf(1, "any", {}, null));
    expect([token.status, errorOf(token)?.code]).toEqual([200, -32602]);
  });

  it("refuses a batch with -32600", async () => {
    const client = await (await serve()).join("2025-03-26");
    const refused = await client.post([call, legacyCallOf(2, "any")]);
    expect([refused.status, errorOf(refused)?.code]).toEqual([400, -32600]);
    expect(errorOf(refused)?.message).toContain("array");
  });

  it("has no stream of its own: GET is 405", async () => {
    const { url, join } = await serve();
    const { id } = await join();
    expect((await send(url, { method: "GET", headers: { "Mcp-Session-Id": id } })).status).toBe(405);
  });

  it("is nothing that a server of the modern era alone has", async () => {
    const { url, post } = await serve({ legacy: "reject" });
    const refused = await post(initialize());
    expect([refused.status, sessionOf(refused)]).toEqual([400, undefined]);
    expect(errorOf(refused)).toMatchObject({ code: -32602, data: { supported: ["2026-07-28"] } });
    expect((await post(call, { "Mcp-Session-Id": "any" })).status).toBe(400);
    expect((await post(cancel(1))).status).toBe(202);
    const deleted = await send(url, { method: "DELETE", headers: { "Mcp-Session-Id": "any" } });
    expect([deleted.status, deleted.headers.allow]).toEqual([405, "POST, OPTIONS"]);
    const preflight = await send(url, { method: "OPTIONS" });
    expect(preflight.headers["access-control-allow-methods"]).toBe("POST, OPTIONS");
  });
});

describe("the version header of a legacy request", () => {
  it.each([
    [undefined, "2025-06-18"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
  ])("%s is served as %s in a session of 2025-06-18", async (version, served) => {
    const { join, exchanges } = await serve();
    const { run, response } = await (await join("2025-06-18")).open(call, { "MCP-Protocol-Version": version });
    run.finish();
    await (await response).ended;
    expect(exchanges[1]?.protocolVersion).toBe(served);
  });

  it.each(["2024-11-05", "1999-01-01", "nonsense", ""])("%j is 400", async (version) => {
    const { join, requests } = await serve();
    const client = await join();
    for (const message of [call, cancel(1), { jsonrpc: "2.0", id: 1, result: {} }]) {
      expect((await client.post(message, { "MCP-Protocol-Version": version })).status).toBe(400);
    }
    expect(requests).toHaveLength(1);
  });

  it("of the modern era is -32602 without an envelope, in a session and for a handshake as well", async () => {
    const { join, post, requests } = await serve();
    const client = await join();
    const modern = { "MCP-Protocol-Version": "2026-07-28" };
    for (const refused of [
      await client.post(call, modern),
      await post(call, modern),
      await post(initialize(), modern),
    ]) {
      expect([refused.status, errorOf(refused)?.code]).toEqual([400, -32602]);
    }
    expect(requests).toHaveLength(1);
  });

  it("does not matter to a handshake otherwise", async () => {
    const { post } = await serve();
    expect((await post(initialize(), { "MCP-Protocol-Version": "1999-01-01" })).status).toBe(200);
  });
});

describe("a closed stream of the legacy era", () => {
  it("is no cancellation: the handler runs on and its outcome is dropped", async () => {
    const { join, left, runs } = await serve();
    const client = await join();
    const { run, response } = await client.open();
    run.emit({ type: "progress", progress: 1 });
    const { res } = await response;
    res.destroy();
    const again = await client.open(legacyCallOf(2, "any"));
    const told: unknown[] = [];
    left.subscribe((reason) => told.push(reason));
    await vi.waitFor(() => expect(run.ask()).toHaveLength(1));
    run.emit({ type: "progress", progress: 2 });
    run.finish();
    again.run.finish();
    await (await again.response).ended;
    expect(told).toEqual([]);
    // Its id is free again.
    const third = await client.open();
    third.run.finish();
    expect((await third.response).res.statusCode).toBe(200);
    runs.complete();
  });

  it("fails the question that is open, and every later one, at once", async () => {
    const client = await (await serve()).join();
    const { run, response } = await client.open();
    const answers = run.ask();
    const { res } = await response;
    expect(answers).toEqual([]);
    res.destroy();
    await vi.waitFor(() => expect(answers).toEqual([expect.any(Disconnected)]));
    expect(run.ask()).toEqual([expect.any(Disconnected)]);
  });

  it("leaves the request to be cancelled", async () => {
    const { join, left } = await serve();
    const client = await join();
    const { run, response } = await client.open();
    run.emit({ type: "progress", progress: 1 });
    (await response).res.destroy();
    await client.post(cancel(1));
    expect(await firstValueFrom(left)).toBeInstanceOf(Cancelled);
  });

  it("leaves the request to end with its session", async () => {
    const { join, left } = await serve();
    const client = await join();
    const { run, response } = await client.open();
    run.emit({ type: "progress", progress: 1 });
    (await response).res.destroy();
    await client.end();
    expect(await firstValueFrom(left)).toBeInstanceOf(Disconnected);
  });

  it("leaves the request to expire with its session", async () => {
    const { join, left } = await serve({ sessionIdleMs: 30 });
    const client = await join();
    const { run, response } = await client.open();
    run.emit({ type: "progress", progress: 1 });
    (await response).res.destroy();
    expect(String(await firstValueFrom(left))).toContain("expired");
    expect((await client.post(call)).status).toBe(404);
  });

  it("is aborted when the server closes, and counts as a request in flight till then", async () => {
    const { join, left, close, post } = await serve({ maxInFlight: 1 });
    const client = await join();
    const { run, response } = await client.open();
    run.emit({ type: "progress", progress: 1 });
    const { res } = await response;
    res.destroy();
    await once(res, "close");
    expect((await post(initialize())).status).toBe(503);
    await close({ graceMs: 0 });
    expect(await firstValueFrom(left)).toBeInstanceOf(Disconnected);
  });
});

describe("a cancellation in a session", () => {
  it("ends the stream without an answer, and withdraws what is asked", async () => {
    const { join, left } = await serve();
    const client = await join();
    const { run, response } = await client.open();
    const answers = run.ask();
    const { messages, ended } = await response;
    expect((await client.post(cancel(1))).status).toBe(202);
    await ended;
    expect(await firstValueFrom(left)).toBeInstanceOf(Cancelled);
    expect(answers).toEqual([expect.any(Cancelled)]);
    expect(messages).toMatchObject([
      { method: "elicitation/create" },
      { method: "notifications/cancelled", params: { requestId: messages[0]?.id } },
    ]);
  });

  it("of a request that said nothing ends with an empty stream, or 202 where none is taken", async () => {
    const client = await (await serve()).join();
    for (const [accept, status] of [
      [plainHeaders.Accept, 200],
      ["application/json", 202],
    ] as const) {
      const { response } = await client.open(call, { Accept: accept });
      await client.post(cancel(1));
      const { res, messages, ended } = await response;
      await ended;
      expect([res.statusCode, messages]).toEqual([status, []]);
    }
  });

  it("takes back what was said and not yet written", async () => {
    const client = await (await serve()).join();
    const { run, response } = await client.open();
    const report = (value: number) => run.emit({ type: "progress", progress: value, message: "x".repeat(10_000) });
    report(1);
    const { res, messages, ended } = await response;
    res.pause();
    for (let value = 2; value <= 2_000; value += 1) {
      report(value);
      if (value % 10 === 0) await new Promise(setImmediate);
    }
    await client.post(cancel(1));
    res.resume();
    await ended;
    const values = messages.map(({ params }) => params?.progress ?? 0);
    expect(values.slice(0, 2)).toEqual([1, 2]);
    expect(values.at(-1)).toBeLessThan(2_000);
  });

  it("reaches no request of another session", async () => {
    const { join, left } = await serve();
    const [client, other] = [await join(), await join()];
    const { run, response } = await client.open();
    const told: unknown[] = [];
    left.subscribe((reason) => told.push(reason));
    for (const id of [1, "1", null]) await other.post(cancel(id));
    run.finish();
    const { messages, ended } = await response;
    await ended;
    expect([messages[0]?.id, told]).toEqual([1, []]);
    await client.open();
    await client.post(cancel(1));
    expect(told).toHaveLength(1);
  });

  it("with an envelope is in none, and taken without one: there is nothing that it could mean", async () => {
    const { join, post, left } = await serve();
    const client = await join();
    const told: unknown[] = [];
    left.subscribe((reason) => told.push(reason));
    await client.open();
    const enveloped = notification("notifications/cancelled", { requestId: 1, _meta: metaOf() });
    expect((await post(enveloped)).status).toBe(202);
    expect((await client.post(enveloped)).status).toBe(202);
    expect(told).toEqual([]);
    expect((await post(cancel(1))).status).toBe(400);
    await client.post(cancel(1));
    expect(told).toHaveLength(1);
  });
});

describe("a question in a session", () => {
  it("goes out on the stream of the request that asks, and is answered in its session only", async () => {
    const { join } = await serve();
    const [client, other] = [await join(), await join()];
    const { run, response } = await client.open();
    const idle = await client.open(legacyCallOf(2, "any"));
    run.emit({ type: "progress", progress: 1 });
    const answers = run.ask({ message: "?" });
    const { messages, next } = await response;
    while (messages.length < 2) await next();
    expect(messages).toMatchObject([{ params: { progress: 1 } }, { method: "elicitation/create" }]);
    const answer = { jsonrpc: "2.0", id: messages[1]?.id, result: { action: "decline" } };
    expect((await other.post(answer)).status).toBe(202);
    // A modern client sends no responses, and is in no session whatever it names.
    expect((await client.post(answer, { "MCP-Protocol-Version": "2026-07-28" })).status).toBe(400);
    expect(answers).toEqual([]);
    expect((await client.post(answer)).status).toBe(202);
    expect(answers).toEqual([{ action: "decline" }]);
    for (const each of [run, idle.run]) each.finish();
    expect((await idle.response).res.headers["content-type"]).toBe("application/json");
  });

  it("can be answered though no more requests are taken", async () => {
    const { join, post } = await serve({ maxInFlight: 1 });
    const client = await join();
    const { run, response } = await client.open();
    const answers = run.ask();
    const { messages, next } = await response;
    while (messages.length < 1) await next();
    expect((await post(initialize())).status).toBe(503);
    expect((await client.post(legacyCallOf(2, "any"))).status).toBe(503);
    expect((await client.post({ jsonrpc: "2.0", id: messages[0]?.id, result: {} })).status).toBe(202);
    expect(answers).toEqual([{}]);
  });

  it.each([{ responses: "json" } as const, {}])("fails at once where no stream is taken, with %j", async (options) => {
    const client = await (await serve(options)).join();
    const accept = options.responses === "json" ? plainHeaders.Accept : "application/json";
    const { run, response } = await client.open(call, { Accept: accept });
    expect(run.ask()).toEqual([expect.any(Disconnected)]);
    run.finish();
    expect((await response).res.headers["content-type"]).toBe("application/json");
  });
});

describe("the number of sessions", () => {
  it("is bounded: the one that is idle for longest gives way, then 503", async () => {
    const { join, post, shake } = await serve({ maxSessions: 2 });
    const [first, second] = [await join(), await join()];
    // Being used makes it the younger one.
    await first.post(cancel(9));
    const third = await join();
    expect((await second.post(cancel(9))).status).toBe(404);
    expect((await first.post(cancel(9))).status).toBe(202);
    const open = [await first.open(), await third.open()];
    expect((await post(initialize())).status).toBe(503);
    for (const { run } of open) run.finish();
    await Promise.all(open.map(async ({ response }) => (await response).ended));
    await vi.waitFor(shake);
  });

  it("is not what a refused handshake counts towards: nobody gives way to it", async () => {
    const refused = initialize("2025-06-18");
    const server = servable(({ params }) =>
      params.protocolVersion === "2025-06-18"
        ? of({ type: "error", error: { code: -32603, message: "no" } })
        : of({ type: "result", result: {} }),
    );
    const { url, close } = await serveHttp(server, { maxSessions: 2 });
    onTestFinished(() => close());
    const post = (message: object, session?: string) =>
      send(url, { headers: { ...bare, "Mcp-Session-Id": session }, body: JSON.stringify(message) });
    const first = sessionOf(await post(initialize()));
    for (let count = 0; count < 3; count += 1) expect(sessionOf(await post(refused))).toBeUndefined();
    expect((await post(cancel(1), first)).status).toBe(202);
    expect(sessionOf(await post(initialize()))).toBeDefined();
    expect((await post(cancel(1), first)).status).toBe(202);
  });

  it.each([{ maxSessions: 0 }, { sessionIdleMs: 0 }, { sessionIdleMs: 2 ** 31 }])("is checked: %j", async (options) => {
    await expect(serveHttp(asker(), options)).rejects.toThrow(RangeError);
  });
});
