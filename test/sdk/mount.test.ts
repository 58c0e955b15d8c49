import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { firstValueFrom, Subject } from "rxjs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { fixture, type Peer, statelessPeer, wholePeers } from "./peers.ts";

interface Update {
  readonly progress: number;
  readonly progressToken: unknown;
}

const listening = { onprogress: () => undefined };

/** Calls a tool and collects what the server reports. */
async function call({ client, updates }: Peer, name: string, args: object = {}) {
  updates.length = 0;
  const result = await client.callTool({ name, arguments: { ...args } }, listening);
  const seen = (updates as Update[]).map(({ progressToken: _, ...update }) => update);
  return { updates: seen, values: seen.map(({ progress }) => progress), result };
}

/** One connection for a whole suite, with an empty memory before each test. */
function connection(connect: () => Promise<Peer>): () => Peer {
  let peer: Peer | undefined;
  const get = (): Peer => {
    if (peer === undefined) throw new Error("Expected to be connected");
    return peer;
  };
  beforeAll(async () => {
    peer = await connect();
  });
  beforeEach(() => {
    get().asked.length = 0;
    get().updates.length = 0;
  });
  afterAll(() => get().close());
  return get;
}

const text = (value: string) => [{ type: "text", text: value }];

describe.each([...wholePeers, ["createMcpHandler, stateless, 2025", statelessPeer] as const])(
  "definitions mounted on the official server, over %s",
  (_title, connect) => {
    const peer = connection(connect);

    it("report through emitters: every update of a short call, in order, before the result", async () => {
      const { updates, result } = await call(peer(), "count", { to: 3 });
      expect(updates).toEqual([1, 2, 3].map((value) => ({ progress: value, total: 3, message: `step ${value}` })));
      expect(result.structuredContent).toMatchObject({ to: 3, listening: true });
    });

    it("keep their cadence: a flood is bounded and its last update comes before the result", async () => {
      const { values } = await call(peer(), "count", { to: 10_000 });
      expect(values.length).toBeLessThan(40);
      expect(values.at(-1)).toBe(10_000);
    });

    it("lose nothing with cadence every and drained()", async () => {
      const { values } = await call(peer(), "every", { to: 300 });
      expect(values).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    });

    it("have phases, one line over all emitters, and guards that throw in the handler", async () => {
      const { values, result } = await call(peer(), "mixed");
      expect(result.structuredContent).toEqual({
        accepted: [true, false, true, true],
        thrown: "NonIncreasingProgressError",
        last: 1,
      });
      expect(values).toEqual([0.125, 0.875, 1]);
    });

    it("send nothing to a client that asked for no progress", async () => {
      const { client, updates } = peer();
      const result = await client.callTool({ name: "count", arguments: { to: 3 } });
      expect(result.structuredContent).toMatchObject({ to: 3, listening: false });
      expect(updates).toEqual([]);
    });

    it("list their schemas, arguments and templates", async () => {
      const { client } = peer();
      const { tools } = await client.listTools();
      const listed = tools.find(({ name }) => name === "count");
      expect(listed?.inputSchema).toMatchObject({ type: "object", properties: { to: { type: "integer" } } });
      const { prompts } = await client.listPrompts();
      expect(prompts.find(({ name }) => name === "greet")?.arguments).toEqual([
        { name: "tone", description: "how", required: true },
        { name: "city", required: false },
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      const row = resourceTemplates.find((template) => template.name === "row");
      expect(row).toMatchObject({ uriTemplate: "memo://rows/{id}" });
    });

    it("check their own arguments and results, and say what is wrong", async () => {
      const { result } = await call(peer(), "count", { to: "many" });
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/`to`.*number/) }] });
      const failure = async (how: string) => (await call(peer(), "fail", { how })).result;
      expect(await failure("error")).toMatchObject({ isError: true, content: text("no luck") });
      expect(await failure("protocol")).toMatchObject({ isError: true, content: text("no protocol") });
      expect(await failure("output")).toMatchObject({ isError: true });
    });

    it("complete what a user types", async () => {
      const { client } = peer();
      const ref = { type: "ref/prompt", name: "greet" } as const;
      const { completion } = await client.complete({ ref, argument: { name: "tone", value: "w" } });
      expect(completion.values).toEqual(["warm", "wry"]);
    });

    it("serve prompts and resources", async () => {
      const { client } = peer();
      const { messages } = await client.getPrompt({ name: "plain" });
      expect(messages).toMatchObject([{ role: "user", content: { type: "text", text: "Hello" } }]);
      const { contents } = await client.readResource({ uri: "memo://note" }, listening);
      expect(contents).toEqual([{ uri: "memo://note", mimeType: "text/plain", text: "note at memo://note" }]);
      expect(peer().updates).toMatchObject([{ progress: 1, total: 1 }]);
    });
  },
);

describe.each(wholePeers)("definitions that ask, over %s", (_title, connect) => {
  const peer = connection(connect);

  it("ask forms and URLs, run once what must run once, and never go back", async () => {
    const { updates, result } = await call(peer(), "order", { item: "tea" });
    const { receipt, ...answered } = result.structuredContent as { receipt: string };
    expect(answered).toEqual({ item: "tea", answers: ["red", "red", "accept"] });
    expect(peer().asked).toEqual(["Which colour?", "And the other?", "Pay there"]);
    expect(updates).toEqual([
      { progress: 0.25, total: 1, message: "begun" },
      { progress: 0.5, total: 1, message: "asked" },
      { progress: 0.75, total: 1, message: "paid" },
    ]);
    const again = await call(peer(), "order", { item: "tea" });
    const next = (again.result.structuredContent as { receipt: string }).receipt;
    expect(Number(next.slice(8)) - Number(receipt.slice(8))).toBe(1);
  });

  it("hear that a user declines, and may be called again without a question", async () => {
    const { result } = await call(peer(), "shy");
    expect(result.structuredContent).toEqual({ action: "decline" });
    expect(peer().asked).toEqual(["May I?"]);
    expect((await call(peer(), "poll")).result.content).toEqual(text("ready"));
    expect(peer().asked).toEqual(["May I?"]);
  });

  it("ask in prompts and resources alike", async () => {
    const { client, asked } = peer();
    const { messages } = await client.getPrompt({ name: "greet", arguments: { tone: "warm" } });
    expect(messages).toMatchObject([{ content: { text: "warm: Ann" } }]);
    const { contents } = await client.readResource({ uri: "memo://rows/7" });
    expect(contents).toMatchObject([{ uri: "memo://rows/7", text: "row 7: red" }]);
    expect(asked).toEqual(["Whom?", "Which colour?"]);
    await expect(client.readResource({ uri: "memo://rows/0" })).rejects.toThrow(/not found/i);
  });
});

describe("a mounted definition", () => {
  const open = async (connect: () => Promise<Peer>): Promise<Peer> => {
    const peer = await connect();
    onTestFinished(() => peer.close());
    return peer;
  };

  it.each(wholePeers)("hears of a cancellation over %s", async (title, connect) => {
    const { client } = await open(connect);
    const controller = new AbortController();
    const options = { signal: controller.signal, onprogress: () => controller.abort() };
    await expect(client.callTool({ name: "hold", arguments: { id: title } }, options)).rejects.toThrow();
    const { content } = await client.callTool({ name: "why", arguments: { id: title } });
    // In 2026-07-28 a client cancels over HTTP by closing the stream of the request.
    expect(content).toEqual(text(title === "createMcpHandler, 2026-07-28" ? "Disconnected" : "Cancelled"));
  });

  it("hears of a cancellation that gives no reason", async () => {
    const { buildServer } = await fixture();
    const [near, far] = InMemoryTransport.createLinkedPair();
    await buildServer().connect(far);
    onTestFinished(() => near.close());
    const results = new Subject<unknown>();
    const send = (message: object) => void near.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
    near.onmessage = (message) => {
      if ("result" in message) results.next(message.result);
      else send({ method: "notifications/cancelled", params: { requestId: 1 } });
    };
    const answered = firstValueFrom(results);
    const params = { arguments: { id: "in memory" }, _meta: { progressToken: 0 } };
    send({ id: 1, method: "tools/call", params: { name: "hold", ...params } });
    send({ id: 2, method: "tools/call", params: { name: "why", ...params } });
    expect(await answered).toMatchObject({ content: text("Cancelled") });
  });

  it.each(wholePeers.slice(0, 2))("is told who calls over %s", async (_title, connect) => {
    const { result } = await call(await open(connect), "count", { to: 1 });
    expect(result.structuredContent).toMatchObject({ client: "official" });
  });
});
