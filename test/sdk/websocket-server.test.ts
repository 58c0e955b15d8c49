import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { serveTransports, type TakeTransport, WebSocketClientTransport } from "mcp-headway/sdk/websocket";
import { firstValueFrom } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { secondClient } from "../transports/official.ts";
import { callOf, textOf } from "../transports/peer.ts";
import { connectPeer, maskedText, openBare, openSocket, upgradeStatus } from "../transports/socket.ts";
import { createOfficial, serveOfficial } from "./websocket-kit.ts";

describe("an upgrade to the official server", () => {
  it.each([
    ["http://evil.example", 403],
    ["http://localhost.evil.example", 403],
    ["http://localhost:80001", 403],
    ["null", 403],
    ["https://app.example", 101],
    ["http://127.0.0.1:PORT", 101],
  ])("from %j gets %i", async (origin, status) => {
    const { url, port } = await serveOfficial({ allowedOrigins: ["https://app.example"] });
    expect(await upgradeStatus(url, { Origin: origin.replace("PORT", port) })).toBe(status);
    expect(await upgradeStatus(url)).toBe(101);
  });

  it("needs the sub-protocol, the path and a host of this machine", async () => {
    const { url } = await serveOfficial();
    expect(await upgradeStatus(url, {}, ["other"])).toBe(400);
    expect(await upgradeStatus(`${url}2`)).toBe(404);
    expect(await upgradeStatus(url, { Host: "evil.example" })).toBe(403);
    expect(await upgradeStatus(url)).toBe(101);
  });

  it("is let in as somebody, whom the handlers know and who takes the transport", async () => {
    const authenticate = async ({ headers }: IncomingMessage) =>
      headers.authorization === "Bearer good" && { token: "good", clientId: "ann", scopes: [] };
    const { create } = createOfficial();
    const known: unknown[] = [];
    const take: TakeTransport = (transport, _, authInfo) => {
      known.push(authInfo);
      return create().connect(transport);
    };
    const { url } = await serveOfficial({ authenticate, take });
    const client = secondClient();
    await client.connect(new WebSocketClientTransport(url, { headers: { Authorization: "Bearer good" } }));
    onTestFinished(() => client.close());
    expect(await client.call("who", {})).toEqual([{ type: "text", text: "ann" }]);
    expect(known).toEqual([{ token: "good", clientId: "ann", scopes: [] }]);
    expect(await upgradeStatus(url)).toBe(401);
  });

  it("gets 500 when asking who it is fails, which is told", async () => {
    const errors: unknown[] = [];
    const authenticate = () => {
      throw new Error("No database");
    };
    const { url } = await serveOfficial({ authenticate, onError: (error) => errors.push(error) });
    expect(await upgradeStatus(url)).toBe(500);
    expect(errors).toEqual([new Error("No database")]);
  });

  it("is taken on an HTTP server that others share, which stays open", async () => {
    const http = createServer((_, response) => response.end("plain")).listen(0, "127.0.0.1");
    await once(http, "listening");
    onTestFinished(() => void http.close());
    const authority = `127.0.0.1:${(http.address() as { port: number }).port}`;
    const { create } = createOfficial();
    const { close } = await serveTransports((transport) => create().connect(transport), { server: http });
    const client = secondClient();
    await client.connect(new WebSocketClientTransport(`ws://${authority}/mcp`));
    expect(await client.call("echo", { text: "on" })).toEqual([{ type: "text", text: "on" }]);
    await close();
    expect(await (await fetch(`http://${authority}/`)).text()).toBe("plain");
  });
});

describe("what a client may not send", () => {
  it.each([
    ["{", -32700, undefined],
    ["[]", -32600, undefined],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, undefined],
    ['{"jsonrpc":"2.0","id":1,"method":7}', -32600, 1],
  ])("%j gets %i, and the connection lives on", async (text, code, id) => {
    const { peer } = await connectPeer((await serveOfficial()).url);
    peer.send(text);
    const answer = await peer.first(({ error }) => error !== undefined);
    expect(answer).toMatchObject({ error: { code } });
    expect(answer.id).toBe(id);
    peer.call(2, "echo", { text: "on" });
    expect(textOf(await peer.answer(2))).toBe("on");
  });

  it("an id in flight gets an error under that id, and does not touch the first request", async () => {
    const { url, aborted } = await serveOfficial();
    const { peer } = await connectPeer(url);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    peer.call(1, "echo", { text: "second" });
    expect(await peer.answer(1)).toMatchObject({ error: { code: -32600 } });
    peer.call(2, "echo", { text: "third" }, "a");
    expect(await peer.answer(2)).toMatchObject({ error: { code: -32602 } });
    const left = firstValueFrom(aborted);
    peer.cancel(1);
    await left;
    peer.received.length = 0;
    peer.call(3, "echo", { text: "free" }, "a");
    expect(textOf(await peer.answer(3))).toBe("free");
    expect(peer.received.map(({ id }) => id)).toEqual([3]);
  });

  it("more requests than may be open are refused", async () => {
    const { peer } = await connectPeer((await serveOfficial({ maxInFlight: 1 })).url);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    peer.call(2, "echo", { text: "no" });
    expect(await peer.answer(2)).toMatchObject({ error: { code: -32603 } });
  });

  it("a binary message closes with 1003", async () => {
    const socket = await openSocket((await serveOfficial()).url);
    socket.send(Buffer.from(JSON.stringify(callOf(1, "echo", { text: "a" }))));
    expect((await once(socket, "close"))[0]).toBe(1003);
  });

  it("a message over the limit closes with 1009", async () => {
    const { socket, peer } = await connectPeer((await serveOfficial({ maxMessageBytes: 2_000 })).url);
    peer.call(1, "echo", { text: "a".repeat(1_000) });
    await peer.answer(1);
    peer.call(2, "echo", { text: "a".repeat(2_000) });
    expect((await once(socket, "close"))[0]).toBe(1009);
  });

  it("an emoji in pieces of one byte is whole", async () => {
    const bare = await openBare((await serveOfficial()).url);
    const frame = maskedText(JSON.stringify(callOf(1, "echo", { text: "🦉" })));
    let seen = "";
    const answered = new Promise<void>((resolve) => {
      bare.on("data", (chunk: Buffer) => {
        seen += chunk.toString();
        if (seen.includes('"id":1')) resolve();
      });
    });
    for (const byte of frame) {
      bare.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    await answered;
    expect(seen).toContain("🦉");
  });
});

describe("a connection", () => {
  it("shares nothing with another", async () => {
    const { url } = await serveOfficial();
    const [one, two] = await Promise.all([connectPeer(url), connectPeer(url)]);
    one.peer.call(1, "count", { to: 200 }, 1);
    two.peer.call(1, "count", { to: 100 }, 1);
    expect(textOf(await one.peer.answer(1))).toBe("200");
    expect(textOf(await two.peer.answer(1))).toBe("100");
    expect([one.peer.values(1).length, two.peer.values(1).length]).toEqual([200, 100]);
  });

  it("cancels its calls when it is lost", async () => {
    const { url, aborted } = await serveOfficial();
    const { socket, peer } = await connectPeer(url);
    const left = firstValueFrom(aborted);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    socket.terminate();
    await left;
  });

  it("answers a call whose result has no JSON form with an error", async () => {
    const { peer } = await connectPeer((await serveOfficial()).url);
    peer.call(1, "break");
    expect(await peer.answer(1)).toMatchObject({ error: { code: -32603 } });
  });

  it("that nobody takes is closed with 1011, and the reason told", async () => {
    const errors: unknown[] = [];
    const take = async () => {
      throw new Error("No room");
    };
    const { url } = await serveOfficial({ take, onError: (error) => errors.push(error) });
    expect((await once(await openSocket(url), "close"))[0]).toBe(1011);
    expect(errors).toEqual([new Error("No room")]);
  });

  it("is closed also when whoever is told throws, and the next one is served", async () => {
    let told = 0;
    const onError = (): never => {
      told += 1;
      throw new Error("No log");
    };
    const { create } = createOfficial();
    const take: TakeTransport = async (transport) => {
      if (told === 0) throw new Error("No room");
      await create().connect(transport);
    };
    const { url } = await serveOfficial({ take, onError });
    expect((await once(await openSocket(url), "close"))[0]).toBe(1011);
    const client = secondClient();
    await client.connect(new WebSocketClientTransport(url));
    onTestFinished(() => client.close());
    expect(await client.call("echo", { text: "on" })).toEqual([{ type: "text", text: "on" }]);
    expect(told).toBe(1);
  });

  it("keeps what comes before the transport is started", async () => {
    const { create } = createOfficial();
    let start = (): void => undefined;
    const mayStart = new Promise<void>((resolve) => {
      start = resolve;
    });
    const { url } = await serveOfficial({ take: (transport) => mayStart.then(() => create().connect(transport)) });
    const connecting = secondClient().connect(new WebSocketClientTransport(url));
    await new Promise(setImmediate);
    start();
    await connecting;
  });
});

describe("a server that closes", () => {
  it("lets a call finish, refuses new ones and says 1001", async () => {
    const { url, handle } = await serveOfficial({ closeGraceMs: 5_000 });
    const { socket, peer } = await connectPeer(url);
    peer.call(1, "count", { to: 20_000 }, "a");
    await peer.update("a");
    const left = once(socket, "close");
    const closed = handle.close();
    peer.call(2, "echo", { text: "late" });
    expect(await peer.answer(2)).toMatchObject({ error: { code: -32603 } });
    expect(textOf(await peer.answer(1))).toBe("20000");
    expect((await left)[0]).toBe(1001);
    await closed;
  });

  it("answers what does not finish in time, and aborts it", async () => {
    const { url, handle, aborted } = await serveOfficial();
    const { peer } = await connectPeer(url);
    peer.call(1, "hold", {}, "a");
    await peer.update("a");
    const left = firstValueFrom(aborted);
    await handle.close();
    expect(await peer.answer(1)).toMatchObject({ error: { code: -32603 } });
    await left;
  });
});
