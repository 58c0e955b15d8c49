import { once } from "node:events";
import { WebSocketClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/websocket.js";
import { type ListenOptions, serveTransports, type WebSocketTransport } from "mcp-headway/sdk/websocket";
import { firstValueFrom, Subject } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { firstClient, secondClient } from "../transports/official.ts";
import { textOf } from "../transports/peer.ts";
import { connectPeer } from "../transports/socket.ts";
import { serveOfficial } from "./websocket-kit.ts";

const update = {
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: "a", progress: 1 },
} as const;
const answerTo = (id: number, text = "done") => ({
  jsonrpc: "2.0" as const,
  id,
  result: { content: [{ type: "text", text }] },
});

/** Both ends of a connection on which two calls are open, the first with the token `a`; time stands still. */
async function open(options: ListenOptions = {}) {
  const transports = new Subject<WebSocketTransport>();
  const received = new Subject<unknown>();
  const taken = firstValueFrom(transports);
  const take = (transport: WebSocketTransport) => {
    transport.onmessage = (message) => received.next(message.params);
    void transport.start().then(() => transports.next(transport));
  };
  const handle = await serveTransports(take, { closeGraceMs: 0, ...options });
  onTestFinished(() => handle.close());
  const { socket, peer } = await connectPeer(handle.url);
  const transport = await taken;
  for (const [id, token] of [
    [1, "a"],
    [2, "b"],
  ]) {
    const called = firstValueFrom(received);
    peer.call(id, "call", {}, token);
    await called;
  }
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return { handle, socket, peer, transport, received };
}

describe("the answer to a call that has reported", () => {
  it("keeps its distance from the last update, and lets nothing else wait", async () => {
    const { peer, transport } = await open();
    await transport.send(update);
    await Promise.all([1, 2].map((id) => transport.send(answerTo(id))));
    await peer.answer(2);
    vi.advanceTimersByTime(9);
    await transport.send({ jsonrpc: "2.0", method: "notifications/message", params: {} });
    await peer.first(({ method }) => method === "notifications/message");
    expect(peer.received.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/progress",
      2,
      "notifications/message",
    ]);
    vi.advanceTimersByTime(1);
    await peer.answer(1);
  });

  it("leaves at once when its distance is there already, or none is wanted", async () => {
    const far = await open();
    await far.transport.send(update);
    vi.advanceTimersByTime(10);
    await far.transport.send(answerTo(1));
    await far.peer.answer(1);
    vi.useRealTimers();
    const near = await open({ answerGapMs: 0 });
    await near.transport.send(update);
    await near.transport.send(answerTo(1));
    await near.peer.answer(1);
  });

  it("is sent as it was when it came", async () => {
    const { peer, transport } = await open();
    const answer = answerTo(1, "then");
    await transport.send(update);
    await transport.send(answer);
    answer.result.content.length = 0;
    vi.advanceTimersByTime(10);
    expect(textOf(await peer.answer(1))).toBe("then");
  });

  it("is never sent when the call is cancelled meanwhile", async () => {
    const { peer, transport, received } = await open();
    await transport.send(update);
    await transport.send(answerTo(1, "cancelled"));
    const heard = firstValueFrom(received);
    peer.cancel(1);
    await heard;
    vi.advanceTimersByTime(10);
    const called = firstValueFrom(received);
    peer.call(1, "call", {}, "a");
    await called;
    await transport.send(answerTo(1, "called anew"));
    expect(textOf(await peer.answer(1))).toBe("called anew");
  });

  it.each<[string, (opened: Awaited<ReturnType<typeof open>>) => Promise<void>]>([
    ["the SDK closes its transport", ({ transport }) => transport.close()],
    ["the server closes without a grace", ({ handle }) => handle.close()],
  ])("is sent when %s", async (_, close) => {
    const opened = await open();
    const { peer, socket, transport } = opened;
    await transport.send(update);
    await transport.send(answerTo(1));
    const left = once(socket, "close");
    const closed = close(opened);
    vi.advanceTimersByTime(0);
    expect(textOf(await peer.answer(1))).toBe("done");
    await left;
    await closed;
    expect(peer.received.filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it("is replaced by an error when it has no JSON form, which ends the call", async () => {
    const { peer, transport, received } = await open();
    await transport.send(update);
    await expect(transport.send({ jsonrpc: "2.0", id: 1, result: { big: 1n } })).rejects.toThrow(TypeError);
    expect(await peer.answer(1)).toMatchObject({ error: { code: -32603 } });
    const called = firstValueFrom(received);
    peer.call(1, "call", {}, "a");
    await called;
  });
});

it.each([
  ["2.x", () => secondClient()],
  ["1.x", firstClient],
])("the official client of SDK %s loses no update over the WebSocket transport of SDK 1.x", async (_, create) => {
  vi.stubGlobal("WebSocket", WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  // This process may be busy for longer than the default gap.
  const { url } = await serveOfficial({ answerGapMs: 200 });
  const client = create();
  await client.connect(new FirstTransport(new URL(url)));
  onTestFinished(() => client.close());
  const values: number[] = [];
  await client.call("count", { to: 3 }, { onprogress: ({ progress }) => values.push(progress) });
  expect(values).toEqual([1, 2, 3]);
});

it("a distance that no timer takes is refused", async () => {
  const serve = (answerGapMs: number) => serveTransports(() => undefined, { answerGapMs });
  await expect(serve(-1)).rejects.toThrow("Expected `answerGapMs` to be between 0 and 2147483647, got -1");
  await (await serve(0)).close();
});
