import { describe, expect, it } from "vitest";
import { Outbox } from "../../src/sdk/websocket-outbox.ts";

interface Message {
  readonly id?: number;
  readonly params?: { readonly progressToken?: unknown; readonly progress?: number; readonly data?: number };
}

/** An outbox whose sink takes a write when it is told to. */
function create() {
  const written: string[] = [];
  const takes: (() => void)[] = [];
  const outbox = new Outbox(
    {
      get idle() {
        return takes.length === 0;
      },
      write(frames, _last, writer) {
        written.push(...frames);
        takes.push(() => writer.done());
      },
    },
    { onStalled: () => undefined, onFailed: () => undefined },
  );
  const messages = () => written.map((frame): Message => JSON.parse(frame));
  return {
    outbox,
    messages,
    progress: (progressToken: unknown, progress: number, extra: object = {}) =>
      outbox.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken, progress, message: "x".repeat(1_000), ...extra },
      }),
    result: (id: number) => outbox.send({ jsonrpc: "2.0", id, result: {} }),
    /** Takes all that is written until nothing is. */
    async takeAll() {
      for (;;) {
        await new Promise(setImmediate);
        const take = takes.shift();
        if (take === undefined) return;
        take();
      }
    },
  };
}

const values = (messages: readonly Message[], token: unknown) =>
  messages.flatMap(({ params }) => (params !== undefined && params.progressToken === token ? [params.progress] : []));

describe("a peer that is behind", () => {
  it("costs constant memory, and gets the last update of each token before the result", async () => {
    const { outbox, progress, result, messages, takeAll } = create();
    for (let n = 1; n <= 20_000; n += 1) for (const token of [1, "1"]) void progress(token, n);
    expect(outbox.backlog).toBeLessThan(20_000);
    void result(7);
    await takeAll();
    const all = messages();
    expect(all.length).toBeLessThan(100);
    expect(all.at(-1)).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    for (const token of [1, "1"]) {
      const seen = values(all, token);
      expect(seen.at(-1)).toBe(20_000);
      expect(seen).toEqual([...seen].sort((left, right) => Number(left) - Number(right)));
    }
  });

  it("gets every message that is no update, in order, each after the update that came before", async () => {
    const { outbox, progress, messages, takeAll } = create();
    for (let n = 1; n <= 100; n += 1) {
      void progress("a", n);
      void outbox.send({ jsonrpc: "2.0", method: "notifications/message", params: { data: n } });
    }
    await takeAll();
    const order = messages().map(({ params }) => params?.data ?? params?.progress);
    expect(order).toEqual(Array.from({ length: 200 }, (_, index) => Math.floor(index / 2) + 1));
  });

  it("keeps all that an update holds", async () => {
    const { progress, messages, takeAll } = create();
    for (let n = 1; n <= 100; n += 1) void progress("a", n, { _meta: { n } });
    await takeAll();
    expect(messages().at(-1)?.params).toMatchObject({ progress: 100, _meta: { n: 100 } });
  });

  it("holds who waits for room, but not who was replaced", async () => {
    const { progress, result, takeAll } = create();
    const settled: string[] = [];
    const note = (name: string, sent: Promise<void>) => void sent.then(() => settled.push(name));
    note("first", progress("a", 1));
    for (let n = 2; n <= 50; n += 1) void progress("a", n);
    note("replaced", progress("a", 51));
    note("latest", progress("a", 52));
    note("result", result(1));
    await new Promise(setImmediate);
    expect(settled).toEqual(["first", "replaced", "latest"]);
    await takeAll();
    expect(settled).toEqual(["first", "replaced", "latest", "result"]);
  });

  it("leaves nobody waiting when it goes", async () => {
    const { outbox, progress, result } = create();
    for (let n = 1; n <= 50; n += 1) void progress("a", n);
    const waiting = Promise.all([progress("a", 51), result(1), outbox.flushed()]);
    outbox.close();
    await waiting;
  });
});

it("a message without a JSON form is refused", async () => {
  const { outbox } = create();
  expect(() => outbox.send({ jsonrpc: "2.0", id: 1, result: { big: 1n } })).toThrow(TypeError);
});
