import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import { describe, expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { serveOfficial } from "./websocket-kit.ts";

/** A server in our hands, and a transport connected to it. */
async function connect(options: ConstructorParameters<typeof WebSocketClientTransport>[1] = {}) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "mcp" });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const transport = new WebSocketClientTransport(`ws://127.0.0.1:${port}/mcp`, options);
  const heard: unknown[] = [];
  transport.onmessage = (message) => heard.push(message);
  transport.onerror = (error) => heard.push(error.message);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => resolve(void heard.push("closed"));
  });
  const arrived = once(server, "connection") as Promise<[WebSocket]>;
  await transport.start();
  const [peer] = await arrived;
  return { transport, peer, heard, closed };
}

const ping = { jsonrpc: "2.0" as const, id: 1, method: "ping" };

describe("connecting", () => {
  it.each([
    ["2", {}, /^Cannot connect to ws:\/\/127\.0\.0\.1:\d+\/mcp2: the server answered 404 Not Found: Not found$/],
    [
      "",
      { Origin: "http://evil.example" },
      /the server answered 403 Forbidden: Origin not allowed by `allowedOrigins`$/,
    ],
  ])("that is refused, of path %j with %j, says where and why", async (path, headers, message) => {
    const { url } = await serveOfficial();
    const transport = new WebSocketClientTransport(`${url}${path}?token=secret`, { headers: { ...headers } });
    await expect(transport.start()).rejects.toThrow(message);
    await new WebSocketClientTransport(url).start();
  });

  it("to nobody says where and why", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const transport = new WebSocketClientTransport(`ws://user:secret@127.0.0.1:${port}/`);
    await expect(transport.start()).rejects.toThrow(
      `Cannot connect to ws://127.0.0.1:${port}/: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  it("to a server that does not answer fails in time, or when it is closed", async () => {
    const server = createServer()
      .on("upgrade", () => undefined)
      .listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const slow = new WebSocketClientTransport(url, { connectTimeoutMs: 20 });
    await expect(slow.start()).rejects.toThrow("the server did not answer within 20 ms");
    const left = new WebSocketClientTransport(url);
    const starting = expect(left.start()).rejects.toThrow("the transport was closed");
    await left.close();
    await starting;
  });

  it.each([
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\n", "x"],
    ["a refusal", "HTTP/1.1 401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"],
  ])("to a server that answers %s drop by drop fails in time", async (_title, head, drop) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined).write(head);
      const timer = setInterval(() => socket.write(drop), 10);
      socket.on("close", () => clearInterval(timer));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const transport = new WebSocketClientTransport(`ws://127.0.0.1:${port}`, { connectTimeoutMs: 100 });
    await expect(transport.start()).rejects.toThrow("the server did not answer within 100 ms");
  });

  it.each(["http://127.0.0.1/mcp", "127.0.0.1", ""])("to %j is refused at once", (url) => {
    expect(() => new WebSocketClientTransport(url)).toThrow("Expected `url` to begin with ws:// or wss://");
  });

  it("takes numbers in range only", () => {
    expect(() => new WebSocketClientTransport("ws://a", { pingMs: 0 })).toThrow("Expected `pingMs`");
  });

  it("happens once, and before anything is sent", async () => {
    const { transport } = await connect();
    await expect(transport.start()).rejects.toThrow("started once");
    await expect(new WebSocketClientTransport("ws://a").send(ping)).rejects.toThrow("to be started");
  });
});

describe("a message", () => {
  it("that is none is an error, and the connection lives on", async () => {
    const { peer, heard, transport, closed } = await connect();
    for (const text of ["{", "[]", "7", '{"jsonrpc":"1.0"}', JSON.stringify(ping)]) peer.send(text);
    peer.close(1000);
    await closed;
    expect(heard).toEqual([
      "Expected a JSON-RPC message, got {",
      "Expected a JSON-RPC message, got []",
      "Expected a JSON-RPC message, got 7",
      'Expected a JSON-RPC message, got {"jsonrpc":"1.0"}',
      ping,
      "closed",
    ]);
    await expect(transport.send(ping)).rejects.toThrow("The connection is closed");
  });

  it("that is too long closes with 1009", async () => {
    const { peer, heard, closed } = await connect({ maxMessageBytes: 100 });
    const left = once(peer, "close");
    peer.send(`"${"x".repeat(98)}"`);
    peer.send("x".repeat(101));
    await closed;
    expect((await left)[0]).toBe(1009);
    expect(heard).toContain("Max payload size exceeded");
  });

  it("that is binary closes with 1003", async () => {
    const { peer, heard, closed } = await connect();
    const left = once(peer, "close");
    peer.send(Buffer.from(JSON.stringify(ping)));
    await closed;
    expect((await left)[0]).toBe(1003);
    expect(heard).toEqual(["Expected text frames, got a binary one", "closed"]);
  });

  it("that the listener cannot take is an error, and the connection lives on", async () => {
    const { peer, heard, transport, closed } = await connect();
    transport.onmessage = () => {
      throw new Error("Cannot take it");
    };
    peer.send(JSON.stringify(ping));
    peer.close(1000);
    await closed;
    expect(heard).toEqual(["Cannot take it", "closed"]);
  });

  it("harms nothing either when whoever is told of it throws", async () => {
    const { peer, transport } = await connect();
    const told: string[] = [];
    transport.onmessage = () => {
      throw new Error("Cannot take it");
    };
    transport.onerror = ({ message }) => {
      told.push(message);
      throw new Error("Cannot log it");
    };
    const closed = new Promise<void>((resolve) => {
      transport.onclose = () => {
        resolve();
        throw new Error("Cannot close it");
      };
    });
    for (const text of [JSON.stringify(ping), "no JSON"]) peer.send(text);
    peer.close(1000);
    await closed;
    expect(told).toEqual(["Cannot take it", "Expected a JSON-RPC message, got no JSON"]);
  });

  it("of any length and script arrives as it was sent, in order", async () => {
    const { peer, transport } = await connect();
    const texts = ["short", "🦉日本語".repeat(30_000), "é\u2028\n"];
    const seen: string[] = [];
    const arrived = new Promise<void>((resolve) => {
      peer.on("message", (data) => void (seen.push(JSON.parse(String(data)).params.text) === 3 && resolve()));
    });
    for (const text of texts) void transport.send({ ...ping, params: { text } });
    await arrived;
    expect(seen).toEqual(texts);
  });
});

describe("closing", () => {
  it("while sending lets what was sent leave, and says 1000", async () => {
    const { peer, transport, heard } = await connect();
    const seen: number[] = [];
    peer.on("message", (data) => seen.push(JSON.parse(String(data)).id));
    const left = once(peer, "close");
    for (let id = 0; id < 1_000; id += 1) void transport.send({ ...ping, id });
    await transport.close();
    expect((await left)[0]).toBe(1000);
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, id) => id));
    expect(heard).toEqual(["closed"]);
    await transport.close();
  });

  it("cuts a server that does not answer in time", async () => {
    const { peer, transport, heard } = await connect({ closeTimeoutMs: 20 });
    peer.pause();
    await transport.close();
    expect(heard).toEqual(["closed"]);
  });

  it.each([
    [1001, "", []],
    [1008, "Go away", ["The connection was closed with 1008: Go away"]],
  ])("by the server with %i tells %j of it", async (code, reason, errors) => {
    const { peer, heard, closed } = await connect();
    peer.close(code, reason);
    await closed;
    expect(heard).toEqual([...errors, "closed"]);
  });
});

describe("a server that takes nothing", () => {
  it("makes a sender fail once too much waits for it", async () => {
    const { peer, transport } = await connect();
    peer.pause();
    const big = { ...ping, params: { text: "x".repeat(1_000_000) } };
    const sent = Array.from({ length: 60 }, () => transport.send(big));
    const outcomes = Promise.allSettled(sent);
    await expect(sent.at(-1)).rejects.toThrow("The server takes less than it is sent");
    peer.terminate();
    expect((await outcomes)[0]).toMatchObject({ status: "fulfilled" });
  });

  it("is cut after the write timeout", async () => {
    const { peer, transport, heard, closed } = await connect({ writeTimeoutMs: 50 });
    peer.pause();
    void transport.send({ ...ping, params: { text: "x".repeat(15_000_000) } });
    await closed;
    expect(heard[0]).toBe("The peer took nothing for 50 ms");
  });
});
