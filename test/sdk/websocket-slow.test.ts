import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import {
  type ListenOptions,
  serveTransports,
  WebSocketClientTransport,
  type WebSocketTransport,
} from "mcp-headway/sdk/websocket";
import { firstValueFrom, Subject } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../transports/peer.ts";
import { connectPeer, openBare } from "../transports/socket.ts";
import { serveOfficial } from "./websocket-kit.ts";

/** The server's end of a connection, in our hands. */
async function accept(options: ListenOptions = {}) {
  const transports = new Subject<WebSocketTransport>();
  const taken = firstValueFrom(transports);
  const take = (transport: WebSocketTransport) => void transport.start().then(() => transports.next(transport));
  const { url, close } = await serveTransports(take, options);
  onTestFinished(close);
  return { url, taken };
}

const progress = (value: number, token: unknown = "a") => ({
  jsonrpc: "2.0" as const,
  method: "notifications/progress",
  params: { progressToken: token, progress: value, message: "x".repeat(200) },
});

async function isSettledSoon(sent: Promise<void>): Promise<boolean> {
  const state = { settled: false };
  void sent.then(() => {
    state.settled = true;
  });
  for (let turn = 0; turn < 50 && !state.settled; turn += 1) await new Promise(setImmediate);
  return state.settled;
}

describe("a client that reads nothing", () => {
  it("costs constant memory while 100,000 updates are sent, and gets the last one and the result in order", async () => {
    const { url, taken } = await accept();
    const { socket, peer } = await connectPeer(url);
    const transport = await taken;
    socket.pause();
    for (let value = 1; value <= 100_000; value += 1) {
      void transport.send(progress(value));
      if (value % 100 === 0) await new Promise(setImmediate);
    }
    void transport.send({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "flooded" }] } });
    socket.resume();
    expect(textOf(await peer.answer(1))).toBe("flooded");
    const values = peer.values("a");
    expect(values.at(-1)).toBe(100_000);
    expect(values.length).toBeLessThan(90_000);
    expect(values).toEqual([...values].sort((left, right) => Number(left) - Number(right)));
    expect(peer.received.at(-1)?.id).toBe(1);
  });

  it("does not keep a handler of the official server, which awaits nothing, from ending", async () => {
    const { url, notified } = await serveOfficial();
    const { socket, peer } = await connectPeer(url);
    const flooded = firstValueFrom(notified);
    peer.call(1, "flood", { to: 20_000 }, "a");
    await peer.update("a");
    socket.pause();
    await flooded;
    socket.resume();
    expect(textOf(await peer.answer(1))).toBe("flooded");
    const values = peer.values("a");
    expect(values.at(-1)).toBe(20_000);
    expect(values.length).toBeLessThan(18_000);
  });

  it("holds whoever awaits what is sent, until it reads on", async () => {
    const { url, taken } = await accept();
    const { socket } = await connectPeer(url);
    const transport = await taken;
    socket.pause();
    let value = 0;
    let sent = Promise.resolve();
    do {
      value += 1;
      sent = transport.send(progress(value));
    } while (await isSettledSoon(sent));
    // Far more than a write: what the two ends of the socket hold.
    expect(value).toBeGreaterThan(1_000);
    socket.resume();
    await sent;
  });

  it("is cut after the write timeout, and its transport told", async () => {
    const { url, taken } = await accept({ writeTimeoutMs: 50 });
    const { socket } = await connectPeer(url);
    const transport = await taken;
    const errors: Error[] = [];
    transport.onerror = (error) => void errors.push(error);
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    socket.pause();
    const big = { jsonrpc: "2.0" as const, id: 1, result: { text: "x".repeat(20_000_000) } };
    await Promise.all([transport.send(big), closed]);
    expect(errors[0]?.message).toBe("The peer took nothing for 50 ms");
    await expect(transport.send(big)).rejects.toThrow("The connection is closed");
  });

  it("is cut by notifications that cannot be merged, once 16 Mi characters wait", async () => {
    const { url, taken } = await accept();
    const { socket } = await connectPeer(url);
    const transport = await taken;
    const errors: Error[] = [];
    transport.onerror = (error) => void errors.push(error);
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    socket.pause();
    const log = { jsonrpc: "2.0" as const, method: "notifications/message", params: { data: "x".repeat(100_000) } };
    for (let count = 0; count < 400; count += 1) void transport.send(log).catch(() => undefined);
    await closed;
    expect(errors[0]?.message).toBe("The client takes less than it is sent");
  });

  it("is not cut by updates while a result that large waits", async () => {
    const { url, taken } = await accept();
    const { socket, peer } = await connectPeer(url);
    const transport = await taken;
    const errors: Error[] = [];
    transport.onerror = (error) => void errors.push(error);
    socket.pause();
    const big = (id: number) => ({ jsonrpc: "2.0" as const, id, result: { text: "x".repeat(17_000_000) } });
    for (const id of [1, 2, 3]) void transport.send(big(id));
    void transport.send(progress(1));
    socket.resume();
    await peer.update("a");
    expect(peer.received.map(({ id }) => id)).toEqual([1, 2, 3, undefined]);
    expect(errors).toEqual([]);
  });
});

describe("a silent peer", () => {
  it("of a server is dropped when it has missed two pings", async () => {
    const { url, taken } = await accept({ pingMs: 20 });
    const bare = await openBare(url);
    bare.resume();
    const transport = await taken;
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    const { socket } = await connectPeer(url);
    await Promise.all([closed, once(bare, "close")]);
    expect(socket.readyState).toBe(socket.OPEN);
  });

  it("of a client is dropped when it has missed two pings, while one that answers is not", async () => {
    const { url } = await serveOfficial();
    const quiet = await forward(new URL(url).port);
    const [lost, kept] = [new Subject<string>(), new Subject<string>()];
    const start = async (port: string | number, closed: Subject<string>) => {
      const transport = new WebSocketClientTransport(`ws://127.0.0.1:${port}/mcp`, { pingMs: 20 });
      transport.onclose = () => closed.next("closed");
      await transport.start();
      return transport;
    };
    const left: string[] = [];
    kept.subscribe((word) => left.push(word));
    const other = await start(new URL(url).port, kept);
    const closed = firstValueFrom(lost);
    await start(quiet.port, lost);
    quiet.mute();
    await closed;
    expect(left).toEqual([]);
    await other.close();
  });
});

/** A way to a server that can be made to swallow what the server says. */
async function forward(port: string) {
  const sockets: Socket[] = [];
  let muted = false;
  const proxy = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    sockets.push(near, far);
    near.pipe(far);
    far.on("data", (chunk) => void (muted || near.write(chunk)));
    for (const socket of [near, far]) socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    port: (proxy.address() as { port: number }).port,
    mute: () => {
      muted = true;
    },
  };
}
