import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpListener, type HttpOptions, serveHttp } from "mcp-headway/http";
import { NEVER, of } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RequestEvent } from "../../src/events/index.ts";
import { begin, headersFor, type Sent, send } from "./http-client.ts";
import { callOf, metaOf } from "./peer.ts";
import { servable } from "./servable.ts";

const result: RequestEvent = { type: "result", result: { ok: true } };
const call = JSON.stringify(callOf(1, "count", {}));

async function serve(options: HttpOptions = {}, ...events: readonly RequestEvent[]) {
  const server = servable(() => of(...(events.length > 0 ? events : [result])));
  const handle = await serveHttp(server, options);
  onTestFinished(() => handle.close());
  const post = (sent: Sent = {}) => send(handle.url, { body: call, ...sent });
  return { ...handle, post, handled: server.requests, exchanges: server.exchanges };
}

function messageOf(text: string): { id?: unknown; error?: { code: number; message: string }; result?: unknown } {
  return JSON.parse(text);
}

const headers = (over: Sent["headers"]): Sent => ({ headers: over ?? {} });

describe("an answer without anything before it", () => {
  it("is one JSON body with its length", async () => {
    const { post } = await serve();
    const { status, headers, text } = await post();
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["content-length"]).toBe(String(text.length));
    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":{"ok":true}}');
  });

  it.each([
    [-32601, 404],
    [-32020, 400],
    [-32021, 400],
    [-32022, 400],
    [-32600, 400],
    [-32602, 200],
    [-32603, 200],
    [7, 200],
  ])("with the error %i has the status %i", async (code, expected) => {
    const { post } = await serve({}, { type: "error", error: { code, message: "no" } });
    const { status, text } = await post();
    expect(status).toBe(expected);
    expect(messageOf(text)).toMatchObject({ id: 1, error: { code } });
  });

  it("has 202 and no body for a notification, without a handler", async () => {
    const { post, handled } = await serve();
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await post({ body })).toMatchObject({ status: 202, text: "" });
    expect(handled).toHaveLength(0);
    expect(await post()).toMatchObject({ status: 200 });
  });
});

describe("a body", () => {
  it.each([
    ["no JSON", "{", -32700],
    ["empty", "", -32700],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), -32700],
    ["a batch", `[${call}]`, -32600],
    ["a number", "1", -32600],
    ["a response", '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
    ["a null id", call.replace('"id":1', '"id":null'), -32600],
    ["a fractional id", call.replace('"id":1', '"id":1.5'), -32600],
    ["an object as id", call.replace('"id":1', '"id":{}'), -32600],
    ["a malformed notification", '{"jsonrpc":"2.0","method":"a","params":[]}', -32600],
  ])("that is %s is 400 without an id", async (_, body, code) => {
    const { post, handled } = await serve();
    const { status, text } = await post({ body });
    expect(status).toBe(400);
    expect(messageOf(text).error?.code).toBe(code);
    expect(messageOf(text)).not.toHaveProperty("id");
    expect(handled).toHaveLength(0);
    expect((await post()).status).toBe(200);
  });

  it.each([0, "", 1, "1"])("with the id %j is answered with the same id", async (id) => {
    const { post } = await serve();
    expect(messageOf((await post({ body: JSON.stringify(callOf(id, "count")) })).text).id).toBe(id);
  });

  it.each([
    ["text/plain", 415],
    [undefined, 415],
    ["application/jsonx", 415],
    ["application/json; charset=utf-16", 415],
    ["Application/JSON;charset=UTF-8", 200],
  ])("of type %s is %i", async (type, status) => {
    const { post } = await serve();
    expect((await post(headers({ "Content-Type": type }))).status).toBe(status);
  });

  it("with a content encoding is 415", async () => {
    const { post } = await serve();
    const answer = await post(headers({ "Content-Encoding": "gzip" }));
    expect(answer.status).toBe(415);
    expect(answer.headers["accept-encoding"]).toBe("identity");
  });

  it("over the limit is 413, whether or not it says its length", async () => {
    const { post, handled } = await serve({ maxBodyBytes: 1_000 });
    const body = JSON.stringify(callOf(1, "count", { text: "x".repeat(200_000) }));
    expect((await post({ body })).status).toBe(413);
    expect((await post({ body, headers: { "Transfer-Encoding": "chunked" } })).status).toBe(413);
    expect(handled).toHaveLength(0);
    expect((await post()).status).toBe(200);
  });

  it("over the limit is 413 before it has come to its end", async () => {
    const { url } = await serve({ maxBodyBytes: 1_000 });
    const headers = { ...headersFor(call), "Transfer-Encoding": "chunked" };
    const status = await new Promise((resolve) => {
      const req = request(url, { method: "POST", headers }, (res) => {
        resolve(res.statusCode);
        req.destroy();
      });
      req.on("error", () => undefined).write("x".repeat(1_001));
    });
    expect(status).toBe(413);
  });
});

describe("Accept", () => {
  it.each([
    ["application/json, text/event-stream", 200, true],
    ["application/json;q=0.5, text/event-stream; q=0.9", 200, true],
    ["text/*, application/*", 200, true],
    ["application/json", 200, false],
    ["application/json, text/event-stream;q=0", 200, false],
    ["*/*", 200, false],
    [undefined, 200, false],
    ["text/html", 406, undefined],
    ["*/*;q=0", 406, undefined],
  ])("%s is %i and hears progress: %s", async (accept, status, delivers) => {
    const { post, exchanges } = await serve();
    expect((await post(headers({ Accept: accept }))).status).toBe(status);
    expect(exchanges[0]?.deliversProgress).toBe(delivers);
  });

  it("of a stream alone gets the result on one", async () => {
    const { post } = await serve();
    const { headers: got, text } = await post(headers({ Accept: "text/event-stream" }));
    expect(got["content-type"]).toBe("text/event-stream");
    expect(text).toBe('data: {"jsonrpc":"2.0","id":1,"result":{"ok":true}}\n\n');
  });

  it("of JSON alone gets 406 for what is nothing but a stream", async () => {
    const { post } = await serve({}, { type: "notification", method: "notifications/any", params: {} }, result);
    expect((await post()).text).toContain("notifications/any");
    expect((await post(headers({ Accept: "application/json" }))).status).toBe(406);
  });
});

describe("the headers that repeat the body", () => {
  it.each([
    ["no version", { "MCP-Protocol-Version": undefined }],
    ["another version", { "MCP-Protocol-Version": "2025-11-25" }],
    ["no method", { "Mcp-Method": undefined }],
    ["another method", { "Mcp-Method": "tools/list" }],
    ["a method in other letters", { "Mcp-Method": "Tools/Call" }],
    ["a method in Base64", { "Mcp-Method": "=?base64?dG9vbHMvY2FsbA==?=" }],
    ["no name", { "Mcp-Name": undefined }],
    ["another name", { "Mcp-Name": "counter" }],
    ["a name that is cut", { "Mcp-Name": "coun" }],
    ["a name with raw bytes", { "Mcp-Name": "c\u00f6unt" }],
    ["a name in bad Base64", { "Mcp-Name": "=?base64?Y291bnQ?=" }],
    ["a name that comes twice", { "Mcp-Name": ["count", "count"] }],
  ])("are refused with %s", async (_, over) => {
    const { post, handled } = await serve();
    const { status, text } = await post(headers(over));
    expect(status).toBe(400);
    expect(messageOf(text)).toMatchObject({ id: 1, error: { code: -32020 } });
    expect(handled).toHaveLength(0);
    expect((await post()).status).toBe(200);
  });

  it.each([
    ["plain", "count", "count"],
    ["in Base64", "=?base64?Y291bnQ=?=", "count"],
    ["beyond ASCII", "=?base64?5LiW55WM?=", "世界"],
    ["that looks like Base64", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="],
  ])("may have a name %s", async (_, value, name) => {
    const { post } = await serve();
    const body = JSON.stringify(callOf(1, name));
    expect((await post({ body, headers: { "Mcp-Name": value } })).status).toBe(200);
  });

  it("name a prompt, a resource by its URI, and are not asked to name what has none", async () => {
    const { post } = await serve();
    const read = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "resources/read",
      params: { _meta: metaOf(), uri: "memo://a", name: "b" },
    });
    expect((await post({ body: read })).status).toBe(200);
    expect((await post({ body: read, headers: { "Mcp-Name": "b" } })).status).toBe(400);
    const get = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "prompts/get",
      params: { _meta: metaOf(), name: "a" },
    });
    expect((await post({ body: get })).status).toBe(200);
    expect((await post({ body: get, headers: { "Mcp-Name": "b" } })).status).toBe(400);
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: metaOf() } });
    expect((await post({ body: list })).status).toBe(200);
  });

  it("are checked after the envelope and before the version", async () => {
    const { post } = await serve();
    const bare = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const noEnvelope = await post({ body: bare, headers: { "Mcp-Method": undefined } });
    expect(noEnvelope.status).toBe(400);
    expect(messageOf(noEnvelope.text)).toMatchObject({ id: 1, error: { code: -32602 } });
    const params = { _meta: metaOf(undefined, "1999-01-01") };
    const old = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
    const mismatch = await post({ body: old, headers: { "Mcp-Method": undefined } });
    expect(messageOf(mismatch.text).error?.code).toBe(-32020);
    const unsupported = await post({ body: old });
    expect(unsupported.status).toBe(400);
    expect(messageOf(unsupported.text).error?.code).toBe(-32022);
  });

  it.each([[null], [true], [{}], [[]], [1.5]])("do not excuse the token %j", async (token) => {
    const { post, handled } = await serve();
    const { status, text } = await post({ body: JSON.stringify(callOf(1, "count", {}, token)) });
    expect(status).toBe(400);
    expect(messageOf(text)).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(handled).toHaveLength(0);
  });

  it("reach a handler by any spelling of their names", async () => {
    const { post, exchanges } = await serve();
    await post(headers({ "Mcp-Param-Region": "north" }));
    expect(exchanges[0]?.header("MCP-PARAM-region")).toBe("north");
    expect(exchanges[0]?.header("mcp-param-other")).toBeUndefined();
  });
});

describe("the methods of HTTP", () => {
  it.each(["GET", "DELETE", "PUT", "PATCH"])("%s is 405 and names what is allowed", async (method) => {
    const { url } = await serve();
    const { status, headers: got } = await send(url, { method });
    expect(status).toBe(405);
    expect(got.allow).toBe("POST, OPTIONS");
  });

  it("are served by a whole URL as well", async () => {
    const { url } = await serve();
    const { host, port } = new URL(url);
    const ask = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const req = request({ host: "127.0.0.1", port, method: "POST", path, headers: headersFor(call) }, (res) => {
          res.resume();
          resolve(res.statusCode);
        });
        req.once("error", reject).end(call);
      });
    expect(await ask(`http://${host}/mcp`)).toBe(200);
    expect(await ask(`HTTP://${host}/mcp?query=1`)).toBe(200);
    expect(await ask(`http://${host}`)).toBe(404);
    expect(await ask(`http://${host}/other/mcp`)).toBe(404);
  });

  it("and other paths are 404", async () => {
    const { url, handled } = await serve();
    expect((await send(`${url}/more`, { body: call })).status).toBe(404);
    expect((await send(`${url}?a=b`, { body: call })).status).toBe(200);
    expect(handled).toHaveLength(1);
  });
});

describe("the origin", () => {
  const listed = "https://app.example";

  it("is fine when absent, its own or listed, and may then read the answer", async () => {
    const { url, post } = await serve({ allowedOrigins: [listed] });
    const none = await post();
    expect([none.status, none.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
    for (const Origin of [listed, new URL(url).origin]) {
      const { status, headers: got } = await post(headers({ Origin }));
      expect([status, got["access-control-allow-origin"], got.vary]).toEqual([200, Origin, "Origin"]);
      const preflight = await send(url, {
        method: "OPTIONS",
        headers: { Origin, "Access-Control-Request-Headers": "mcp-method,mcp-param-region" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        "access-control-allow-origin": Origin,
        "access-control-allow-methods": "POST, OPTIONS, DELETE",
        "access-control-allow-headers": "mcp-method,mcp-param-region",
      });
    }
  });

  it.each([
    "http://evil.example",
    "http://localhost.evil.example",
    "http://localhost:80001",
    "http://127.0.0.1",
    "https://app.example.evil.example",
    "https://app.example:8443",
    "http://app.example",
    "https://app.example/",
    "null",
    "",
  ])("%j is 403 before anything else", async (Origin) => {
    const { url, post, handled } = await serve({ allowedOrigins: [listed] });
    for (const sent of [{}, { method: "GET" }, { method: "OPTIONS" }, { body: "{" }]) {
      const { status, text, headers: got } = await post({ ...sent, headers: { Origin } });
      expect(status).toBe(403);
      expect(got["access-control-allow-origin"]).toBeUndefined();
      expect(messageOf(text)).not.toHaveProperty("id");
    }
    expect((await send(new URL("/elsewhere", url).href, headers({ Origin }))).status).toBe(403);
    expect(handled).toHaveLength(0);
  });

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:80"])(
    "does not matter for the host %s, which is 403 on loopback",
    async (Host) => {
      const { post, handled } = await serve({ allowedHosts: ["mcp.example"] });
      expect((await post(headers({ Host }))).status).toBe(403);
      expect((await post(headers({ Host, Origin: `http://${Host}` }))).status).toBe(403);
      expect(handled).toHaveLength(0);
      for (const own of ["localhost", "LOCALHOST:1", "[::1]:80", "mcp.example"]) {
        expect((await post(headers({ Host: own }))).status).toBe(200);
      }
    },
  );

  it.each(["mcp.example:8080", "[::1]:80", "::1", "https://mcp.example", "a b", ""])(
    "cannot have %j among its hosts, which would never match",
    (host) => {
      const server = servable(() => NEVER);
      expect(() => createHttpListener(server, { allowedHosts: ["a.example", host] })).toThrow(
        `Expected \`allowedHosts[1]\` to be a host name without a port, like app.example, got "${host}"`,
      );
      for (const good of ["mcp.example", "[fe80::1]", "10.0.0.1", "my_host"]) {
        expect(() => createHttpListener(server, { allowedHosts: [good] })).not.toThrow();
      }
    },
  );

  it.each(["*", "null", "app.example", "https://app.example/", ""])("cannot be listed as %j", (origin) => {
    const server = servable(() => NEVER);
    expect(() => createHttpListener(server, { allowedOrigins: [origin] })).toThrow(TypeError);
    expect(() => createHttpListener(server, { allowedOrigins: ["tauri://localhost"] })).not.toThrow();
  });
});

describe("requests at once", () => {
  it("are independent, whatever their ids and tokens", async () => {
    const { post, handled } = await serve({}, { type: "progress", progress: 1 }, result);
    const body = JSON.stringify(callOf(1, "count", {}, 1));
    const answers = await Promise.all([post({ body }), post({ body }), post({ body })]);
    expect(handled).toHaveLength(3);
    for (const { text } of answers) expect(text.match(/"progressToken":1|"result"/g)).toHaveLength(2);
  });

  it("are 503 beyond maxInFlight, until one has ended", async () => {
    const server = servable(({ params }) => (params.name === "hold" ? NEVER : of(result)));
    const { url, close } = await serveHttp(server, { maxInFlight: 1, keepAliveMs: 1 });
    onTestFinished(() => close({ graceMs: 0 }));
    const held = await begin(url, { body: JSON.stringify(callOf(1, "hold")) });
    const busy = await send(url, { body: call });
    expect(busy.status).toBe(503);
    expect(busy.headers["retry-after"]).toBe("1");
    expect(messageOf(busy.text).error?.code).toBe(-32603);
    const gone = new Promise((resolve) => held.once("close", resolve));
    held.destroy();
    await gone;
    await expect.poll(async () => (await send(url, { body: call })).status).toBe(200);
  });
});

describe("a body that was parsed already", () => {
  const parsed = callOf(1, "count");
  it.each<[string, unknown, number]>([
    ["an object", parsed, 200],
    ["a string", call, 200],
    ["bytes", Buffer.from(call), 200],
    ["an array", [parsed], 400],
    ["a null", null, 400],
    ["a long string", call.padEnd(2_000), 413],
  ])("is taken as %s", async (_, body, status) => {
    const listener = createHttpListener(
      servable(() => of(result)),
      { maxBodyBytes: 1_000 },
    );
    const http = createServer((req, res) => {
      req.resume().once("end", () => listener(Object.assign(req, { body }), res));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void http.close());
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    expect((await send(url, { body: call })).status).toBe(status);
  });

  it("is read when a parser has left an empty object behind", async () => {
    const listener = createHttpListener(servable(() => of(result)));
    const http = createServer((req, res) => listener(Object.assign(req, { body: {} }), res));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void http.close());
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    expect((await send(url, { body: call })).status).toBe(200);
  });
});

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("refuses %d as a delay or a limit", (value) => {
  const server = servable(() => NEVER);
  for (const name of ["keepAliveMs", "writeTimeoutMs", "maxBodyBytes", "maxInFlight"]) {
    expect(() => createHttpListener(server, { [name]: value })).toThrow(new RegExp(`Expected \`${name}\` to be`));
    expect(() => createHttpListener(server, { [name]: 1 })).not.toThrow();
  }
});
