import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { upgraders, watchUpgraded } from "../../src/transports/upgraded-sockets.ts";

async function listening(): Promise<{ http: Server; upgraded: ReadonlySet<Duplex>; ask(): Promise<Answered> }> {
  const http = createServer((_, res) => void res.end("plain"));
  const upgraded = watchUpgraded(http);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { http, upgraded, ask: () => ask(port) };
}

interface Answered {
  readonly socket: Socket;
  readonly head: string;
}

/** Offers an upgrade, which a server may ignore, and waits for the first bytes. */
function ask(port: number): Promise<Answered> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
  return new Promise((resolve) => socket.once("data", (head) => resolve({ socket, head: String(head) })));
}

function serve(_request: IncomingMessage, socket: Duplex): void {
  // Who does not read is not told of the end, and HTTP leaves its own half open.
  socket.resume().once("end", () => socket.end());
  socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
}

describe("sockets that left HTTP", () => {
  it("are those that were upgraded, until they close", async () => {
    const { http, upgraded, ask } = await listening();
    http.on("upgrade", serve);
    const { socket, head } = await ask();
    expect(head).toContain("101");
    const [own] = upgraded;
    expect(upgraded.size).toBe(1);
    socket.destroy();
    await new Promise<void>((resolve) => void own?.once("close", resolve));
    await new Promise(setImmediate);
    expect(upgraded.size).toBe(0);
  });

  it("are none where nobody listens for upgrades: there the watch makes no difference", async () => {
    const { http, upgraded, ask } = await listening();
    expect((await ask()).head).toMatch(/^HTTP\/1.1 200/);
    http.on("upgrade", serve);
    expect((await ask()).head).toContain("101");
    http.off("upgrade", serve);
    expect((await ask()).head).toMatch(/^HTTP\/1.1 200/);
    http.once("upgrade", serve);
    expect((await ask()).head).toContain("101");
    expect((await ask()).head).toMatch(/^HTTP\/1.1 200/);
    expect(upgraded.size).toBe(2);
    for (const socket of upgraded) socket.destroy();
  });

  it("are counted among the listeners of nobody", async () => {
    const { http } = await listening();
    expect(upgraders(http)).toBe(0);
    http.on("upgrade", serve);
    http.on("connect", serve);
    expect([upgraders(http), http.listenerCount("upgrade")]).toEqual([1, 2]);
    http.removeAllListeners("upgrade");
    expect([upgraders(http), http.listenerCount("upgrade"), http.listenerCount("connect")]).toEqual([0, 0, 2]);
  });
});
