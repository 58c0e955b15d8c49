import { Cancelled, Disconnected, type McpServer } from "mcp-headway";
import { firstValueFrom } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkLifecycle } from "../oracle/index.ts";
import { callOf, type Era, legacyCallOf, metaOf, Peer, type RawClient, textOf } from "./peer.ts";
import { createScenario, type Scenario, typesOf } from "./scenario.ts";

/** A carrier that serves. */
interface Host {
  connect(era: Era): Promise<RawClient>;
  /** A graceful close, of the carrier or of the server behind it. */
  close(): Promise<void>;
}

export interface Traits {
  /** Whether requests share one connection, and with it their ids and tokens. @default true */
  readonly shared?: boolean;
  /** Whether the client can stop reading. @default true */
  readonly stalls?: boolean;
}

export type Open = (server: McpServer, options: { readonly closeGraceMs: number }) => Promise<Host>;

const ids = [0, "", 1, "1"];

/**
 * What every carrier does in every era, whatever its bytes look like. What a carrier cannot have, by its traits
 * or in an era, is no test there.
 */
export function describeCarrier(name: string, open: Open, traits: Traits = {}): void {
  for (const era of ["modern", "legacy"] as const) describeEra(`${name}, ${era}`, open, { ...traits, era });

  describe(`${name}, both eras at once`, () => {
    it.each([0, "", 7])("see the same of a call that asks, with the token %j", async (token) => {
      const { server } = createScenario(20);
      const told = typesOf(server);
      const host = await open(server, { closeGraceMs: 20 });
      onTestFinished(() => host.close());
      const [modern, legacy] = [
        new Peer(await host.connect("modern")),
        new Peer(await host.connect("legacy"), "legacy"),
      ];
      for (const peer of [modern, legacy]) onTestFinished(() => peer.close());
      await legacy.handshake();
      const answer = { action: "accept", content: { colour: "red" } };
      const [one, other] = await Promise.all([modern, legacy].map((peer) => peer.converse(1, "ask", token, answer)));
      expect(one).toEqual(other);
      expect(one?.updates).toEqual([
        { progressToken: token, progress: 1, total: 3 },
        { progressToken: token, progress: 2, total: 3, message: "red" },
      ]);
      expect(one?.asked[0]).toBe("Which colour?");
      expect(one?.text).toBe("accept red");
      // What a call of the modern era knows rides in a state, and a scenario has no keys of its own.
      expect(told).toEqual(["random-key"]);
    });
  });
}

function describeEra(
  name: string,
  open: Open,
  { era, shared = true, stalls = true }: Traits & { readonly era: Era },
): void {
  const isModern = era === "modern";
  /** In the legacy era a session has what a connection has. */
  const cancels = shared || !isModern;
  interface Stage extends Scenario {
    readonly host: Host;
    readonly peer: Peer;
    connect(): Promise<Peer>;
  }

  async function stage(closeGraceMs = 20): Promise<Stage> {
    const scenario = createScenario(closeGraceMs);
    const host = await open(scenario.server, { closeGraceMs });
    onTestFinished(() => host.close());
    const connect = async () => {
      const peer = new Peer(await host.connect(era), era);
      onTestFinished(() => peer.close());
      if (!isModern) await peer.handshake();
      return peer;
    };
    return { ...scenario, host, connect, peer: await connect() };
  }

  const checkCall = (peer: Peer, id: string | number, progressToken?: string | number) =>
    checkLifecycle(peer.exchange(id, progressToken), {
      id,
      method: "tools/call",
      ...(progressToken !== undefined && { progressToken }),
      ...(!isModern && { legacyVersion: "2025-11-25" }),
    });

  describe(`${name}: progress`, () => {
    it("brings every update in order, then the result", async () => {
      const { peer } = await stage();
      peer.call(1, "count", { to: 50, message: "step" }, "a");
      expect(textOf(await peer.answer(1))).toBe("50");
      checkCall(peer, 1, "a");
      expect(peer.values("a")).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      expect(peer.updates("a")[49]).toEqual({ progressToken: "a", progress: 50, total: 50, message: "step" });
    });

    it("echoes 0, the empty string, 7 and the string 7 as the tokens they are", async () => {
      const { peer, release } = await stage();
      const tokens = [0, "", 7, "7"];
      for (const [id, token] of tokens.entries()) peer.call(id, "hold", { text: `for ${id}` }, token);
      for (const token of tokens) await peer.update(token);
      release.next();
      for (const [id, token] of tokens.entries()) {
        expect(textOf(await peer.answer(id))).toBe(`for ${id}`);
        checkCall(peer, id, token);
        expect(peer.values(token)).toEqual([1]);
      }
    });

    it("sends none without a token", async () => {
      const { peer } = await stage();
      peer.call(1, "count", { to: 3 });
      await peer.answer(1);
      expect(peer.received).toHaveLength(1);
      peer.call(2, "count", { to: 3 }, "asked");
      await peer.answer(2);
      expect(peer.values("asked")).toEqual([1, 2, 3]);
    });

    it("brings an update that is the last statement before the result", async () => {
      const { peer } = await stage();
      peer.call(1, "last", {}, "a");
      await peer.answer(1);
      checkCall(peer, 1, "a");
      expect(peer.updates("a")).toEqual([{ progressToken: "a", progress: 1, total: 1, message: "done" }]);
    });

    it("writes nothing of a token after the result", async () => {
      const { server, peer, finalized } = await stage();
      const told = typesOf(server);
      peer.call(1, "hop", {}, "a");
      await firstValueFrom(finalized);
      peer.call(2, "count", { to: 1 }, "control");
      await peer.answer(2);
      checkCall(peer, 1, "a");
      expect(peer.values("a")).toEqual([0]);
      expect(peer.values("control")).toEqual([1]);
      expect(told).toEqual(["late-progress"]);
    });

    it("loses nothing over 20,000 updates to a handler that waits for room", async () => {
      const { peer } = await stage();
      peer.call(1, "count", { to: 20_000, drained: true }, "a");
      await peer.answer(1);
      expect(peer.values("a")).toHaveLength(20_000);
      checkCall(peer, 1, "a");
    });

    it("brings the last update of a flood that lets nothing else run", async () => {
      const { peer } = await stage();
      peer.call(1, "count", { to: 100_000, message: "x".repeat(100) }, "a");
      await peer.answer(1);
      checkCall(peer, 1, "a");
      expect(peer.values("a").at(-1)).toBe(100_000);
    });

    if (stalls)
      it("merges for a client that stops reading, which then gets the last update and the result", async () => {
        const { peer, connect } = await stage();
        peer.pause();
        peer.call(1, "flood", { to: 40_000 }, "a");
        const other = await connect();
        other.call(1, "flood", { to: 40_000 });
        await other.answer(1);
        peer.resume();
        expect(textOf(await peer.answer(1))).toBe("flooded");
        checkCall(peer, 1, "a");
        expect(peer.values("a").at(-1)).toBe(40_000);
        // What was sent is what was kept: the sockets' buffers and no more.
        expect(peer.values("a").length).toBeLessThan(20_000);
      });
  });

  describe(`${name}: ids`, () => {
    it("answers 0, the empty string, 1 and the string 1 in flight together", async () => {
      const { peer, release } = await stage();
      for (const id of ids) peer.call(id, "hold", { text: `${typeof id} ${id}` }, `token of ${typeof id} ${id}`);
      for (const id of ids) await peer.update(`token of ${typeof id} ${id}`);
      release.next();
      for (const id of ids) expect(textOf(await peer.answer(id))).toBe(`${typeof id} ${id}`);
      expect(peer.received).toHaveLength(2 * ids.length);
    });

    it.each([[null], [1.5], [{}], [true], [2 ** 53]])("refuses %j as an id", async (id) => {
      const { peer } = await stage();
      peer.call(id, "count", { to: 1 });
      expect((await peer.complaint()).error?.code).toBe(-32600);
      peer.call(1, "count", { to: 1 });
      expect(textOf(await peer.answer(1))).toBe("1");
    });

    if (cancels)
      it("refuses an id that is in flight and leaves the first request alone", async () => {
        const { peer, release } = await stage();
        peer.call(1, "hold", {}, "a");
        await peer.update("a");
        peer.call(1, "count", { to: 1 }, "b");
        const refusal = await peer.answer(1);
        expect(refusal.error?.code).toBe(-32600);
        release.next();
        const [, result] = await peer.answers(1, 2);
        expect(result && textOf(result)).toBe("released");
        expect(peer.values("b")).toEqual([]);
      });

    it("takes an id again after its request has ended or was cancelled", async () => {
      const { peer, aborted } = await stage();
      peer.call(1, "count", { to: 1 }, "a");
      await peer.answer(1);
      peer.call(1, "hold", {}, "a");
      await peer.first(({ params }) => params?.progressToken === "a" && params.total === undefined);
      peer.cancel(1);
      await firstValueFrom(aborted);
      peer.call(1, "count", { to: 3 }, "a");
      const [first, second] = await peer.answers(1, 2);
      expect([first, second].map((message) => message && textOf(message))).toEqual(["1", "3"]);
    });

    if (shared)
      it("refuses a token that is in flight", async () => {
        const { peer, release } = await stage();
        peer.call(1, "hold", {}, "a");
        await peer.update("a");
        peer.call(2, "count", { to: 1 }, "a");
        expect((await peer.answer(2)).error?.code).toBe(-32602);
        release.next();
        expect(textOf(await peer.answer(1))).toBe("released");
        expect(peer.values("a")).toEqual([1]);
      });

    it("never mixes two connections with the same ids and tokens", async () => {
      const { peer, connect } = await stage();
      const other = await connect();
      peer.call(1, "count", { to: 20, message: "one" }, 1);
      other.call(1, "count", { to: 20, message: "other" }, 1);
      await Promise.all([peer.answer(1), other.answer(1)]);
      for (const [each, message] of [
        [peer, "one"],
        [other, "other"],
      ] as const) {
        checkCall(each, 1, 1);
        expect(each.updates(1).map((update) => update.message)).toEqual(Array(20).fill(message));
      }
    });
  });

  describe(`${name}: leaving`, () => {
    it("answers a cancelled request with silence and aborts its signal", async () => {
      const { peer, aborted } = await stage();
      peer.call(1, "hold", {}, "a");
      await peer.update("a");
      peer.cancel(1);
      // Where requests share nothing, closing the answer is how one is cancelled.
      expect(await firstValueFrom(aborted)).toBeInstanceOf(cancels ? Cancelled : Disconnected);
      peer.call(2, "count", { to: 1 });
      await peer.answer(2);
      expect(peer.exchange(1, "a")).toHaveLength(1);
    });

    if (cancels)
      it.each([undefined, "a"])(
        "hears of it in a loop that waits for nothing but room, with the token %j",
        async (token) => {
          const { peer, aborted } = await stage();
          peer.call(1, "spin", {}, token);
          // Others are heard meanwhile.
          peer.call(2, "say", { text: "here" });
          expect(textOf(await peer.answer(2))).toBe("here");
          peer.cancel(1);
          expect(await firstValueFrom(aborted)).toBeInstanceOf(Cancelled);
        },
      );

    if (shared)
      it("ignores cancellations that are malformed or name no request", async () => {
        const { peer, release } = await stage();
        peer.call(1, "hold", {}, "a");
        await peer.update("a");
        for (const params of [
          { requestId: 99 },
          { requestId: "1" },
          {},
          { requestId: null },
          { requestId: 1, reason: 5 },
        ]) {
          peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
        }
        peer.send({ jsonrpc: "2.0", method: "notifications/cancelled" });
        peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: [1] });
        peer.call(2, "count", { to: 1 });
        await peer.answer(2);
        release.next();
        expect(textOf(await peer.answer(1))).toBe("released");
        expect(peer.received).toHaveLength(3);
      });

    // On HTTP a closed stream is no cancellation in the legacy era.
    if (shared || isModern)
      it("aborts what runs for a client that is gone, once", async () => {
        const { peer, aborted, finalized } = await stage();
        peer.call(1, "hold", {}, "a");
        peer.call(2, "watch", {}, "b");
        await peer.update("a");
        await peer.update("b");
        const torn: string[] = [];
        finalized.subscribe((id) => torn.push(id));
        peer.close();
        expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
        await firstValueFrom(finalized);
        expect(torn).toEqual(["2"]);
        expect(peer.received).toHaveLength(2);
      });

    if (isModern)
      it("ends subscriptions with their result when it closes, and lets requests in flight finish", async () => {
        const { peer, host, release } = await stage(10_000);
        const params = { _meta: metaOf(), notifications: { resourceSubscriptions: ["memo://note"] } };
        peer.send({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
        await peer.first(({ method }) => method === "notifications/subscriptions/acknowledged");
        peer.call(2, "hold", {}, "a");
        await peer.update("a");
        const closed = host.close();
        const ended = await peer.answer(1);
        expect(ended.result?.resultType).toBe("complete");
        release.next();
        expect(textOf(await peer.answer(2))).toBe("released");
        await closed;
      });

    it("aborts what outlasts the grace of its close", async () => {
      const { peer, host, aborted } = await stage(20);
      peer.call(1, "hold", {}, "a");
      await peer.update("a");
      await host.close();
      expect(await firstValueFrom(aborted)).toBeInstanceOf(Disconnected);
    });
  });

  describe(`${name}: faults`, () => {
    it.each([
      ["no JSON", "{", -32700],
      ["an array", JSON.stringify([(isModern ? callOf : legacyCallOf)(1, "count", { to: 1 })]), -32600],
      ["a number", "7", -32600],
      ["null", "null", -32600],
      ["an object without a method", "{}", -32600],
    ])("refuses %s without an id and goes on", async (_, text, code) => {
      const { peer } = await stage();
      peer.send(text);
      const complaint = await peer.complaint();
      expect(complaint.error?.code).toBe(code);
      expect(complaint).not.toHaveProperty("id");
      peer.call(1, "count", { to: 1 });
      expect(textOf(await peer.answer(1))).toBe("1");
    });

    if (!isModern)
      it.each([
        ["a malformed token", "tools/call", { _meta: { progressToken: null }, name: "count" }, -32602],
        ["an unknown method", "tools/burn", {}, -32601],
        ["a method of the modern era", "server/discover", {}, -32601],
        ["an unknown tool", "tools/call", { name: "nothing" }, -32602],
        ["a tool without a name", "tools/call", {}, -32602],
      ])("refuses %s under the id of a request without an envelope", async (_, method, params, code) => {
        const { peer } = await stage();
        peer.send({ jsonrpc: "2.0", id: 1, method, params });
        expect((await peer.answer(1)).error?.code).toBe(code);
        expect(peer.received).toHaveLength(1);
      });

    if (isModern)
      it.each([
        ["no envelope", "tools/call", { name: "count" }, -32602],
        ["a malformed envelope", "tools/call", { _meta: { ...metaOf(), progressToken: null }, name: "count" }, -32602],
        ["an unsupported version", "tools/call", { _meta: metaOf(1, "1999-01-01"), name: "count" }, -32022],
        ["an unknown method", "tools/burn", { _meta: metaOf() }, -32601],
        ["an unknown tool", "tools/call", { _meta: metaOf(), name: "nothing" }, -32602],
        // Where headers repeat the name, they are checked first.
        ["a tool without a name", "tools/call", { _meta: metaOf() }, shared ? -32602 : -32020],
      ])("refuses %s under the request's id", async (_, method, params, code) => {
        const { peer } = await stage();
        peer.send({ jsonrpc: "2.0", id: 1, method, params });
        const { error } = await peer.answer(1);
        expect(error?.code).toBe(code);
        if (code === -32022) expect(error?.data).toEqual({ supported: ["2026-07-28"], requested: "1999-01-01" });
        expect(peer.received).toHaveLength(1);
      });

    it("turns a result that has no JSON form into one error with the right id", async () => {
      const { peer, server } = await stage();
      const told = typesOf(server);
      peer.call(1, "unserializable", {}, "a");
      const { error } = await peer.answer(1);
      expect(error?.code).toBe(-32603);
      expect(told).toEqual(["unserializable"]);
      checkCall(peer, 1, "a");
    });

    it("brings a tool's failure as a result that says so", async () => {
      const { peer } = await stage();
      peer.call(1, "fail", {}, "a");
      const answer = await peer.answer(1);
      expect(answer.result?.isError).toBe(true);
      expect(textOf(answer)).toBe("it broke");
      checkCall(peer, 1, "a");
    });
  });

  describe(`${name}: text`, () => {
    it.each([
      ["line ends of any kind", "a\u2028b\u2029c\nd\r\ne\u0085f"],
      ["characters of four bytes", "😀👩‍👩‍👧‍👦"],
      ["an empty text", ""],
      ["what looks like a frame", "\n\ndata: {}\n\nevent: x\n"],
    ])("brings %s unharmed both ways", async (_, text) => {
      const { peer } = await stage();
      peer.call(1, "say", { text }, "a");
      expect(textOf(await peer.answer(1)) ?? "").toBe(text);
      expect(peer.updates("a")).toEqual([{ progressToken: "a", progress: 1, message: text }]);
    });

    it("brings a result of a million characters whole", async () => {
      const { peer } = await stage();
      peer.call(1, "big", { length: 1_000_000 });
      expect(textOf(await peer.answer(1))).toBe("é".repeat(1_000_000));
    });
  });

  if (isModern) return;

  describe(`${name}: questions`, () => {
    const accept = { result: { action: "accept", content: { colour: "red" } } };

    it("stand in their place among the updates", async () => {
      const { peer } = await stage();
      peer.call(1, "ask", {}, "a");
      const { id, method } = await peer.question();
      expect(method).toBe("elicitation/create");
      peer.respond(id, accept);
      expect(textOf(await peer.answer(1))).toBe("accept red");
      expect(peer.received.map((message) => message.params?.progress ?? message.id)).toEqual([1, id, 2, 1]);
      checkLifecycle(peer.received, {
        id: 1,
        method: "tools/call",
        progressToken: "a",
        legacyVersion: "2025-11-25",
      });
    });

    it("are answered once, and by nobody else", async () => {
      const { peer, connect } = await stage();
      const other = await connect();
      for (const each of [peer, other]) each.call(1, "ask", {}, 1);
      const { id } = await peer.question();
      const { id: otherId } = await other.question();
      for (const wrong of ["question-99", 1, "", "handshake", `${id} `]) peer.respond(wrong, accept);
      peer.respond(id, accept);
      peer.respond(id, { result: { action: "decline" } });
      expect(textOf(await peer.answer(1))).toBe("accept red");
      peer.call(2, "count", { to: 1 });
      await peer.answer(2);
      expect(other.received.map((message) => message.id)).toEqual([undefined, otherId]);
      other.respond(otherId, { result: { action: "decline" } });
      expect(textOf(await other.answer(1))).toBe("decline undefined");
      expect(peer.received).toHaveLength(5);
    });

    it("have ids that no other question on the connection has", async () => {
      const { peer } = await stage();
      for (const id of [1, 2, 3]) peer.call(id, "ask");
      const asked = await Promise.all([0, 1, 2].map((index) => peer.question(index)));
      expect(new Set(asked.map(({ id }) => id)).size).toBe(3);
      for (const { id } of asked) peer.respond(id, accept);
      for (const id of [1, 2, 3]) expect(textOf(await peer.answer(id))).toBe("accept red");
    });

    it("that the client answers with an error fail", async () => {
      const { server, peer } = await stage();
      const told = typesOf(server);
      peer.call(1, "ask");
      const { id } = await peer.question();
      peer.respond(id, { error: { code: -32603, message: "no user" } });
      const answer = await peer.answer(1);
      expect(answer.result?.isError).toBe(true);
      expect(textOf(answer)).toContain("no user");
      expect(told).toEqual(["handler-failed"]);
    });

    it("are withdrawn before the result when their request has ended", async () => {
      const { server, peer, release } = await stage();
      const told = typesOf(server);
      peer.call(1, "forget", {}, "a");
      const { id } = await peer.question();
      await peer.update("a");
      release.next();
      expect(textOf(await peer.answer(1))).toBe("forgotten");
      expect(peer.received.slice(2)).toMatchObject([
        { method: "notifications/cancelled", params: { requestId: id } },
        { id: 1 },
      ]);
      expect(told).toEqual(["question-open"]);
    });

    it("are withdrawn when the client cancels their request, which is silent then", async () => {
      const { peer, refused } = await stage();
      peer.call(1, "forget", {}, "a");
      const { id } = await peer.question();
      await peer.update("a");
      peer.cancel(1);
      expect(await firstValueFrom(refused)).toBeInstanceOf(Cancelled);
      const withdrawn = await peer.first(({ method }) => method === "notifications/cancelled");
      expect(withdrawn.params?.requestId).toBe(id);
      peer.call(2, "count", { to: 1 });
      await peer.answer(2);
      expect(peer.received).toHaveLength(4);
    });

    it("fail when the client is gone", async () => {
      const { peer, refused } = await stage();
      peer.call(1, "forget", {}, "a");
      await peer.question();
      await peer.update("a");
      peer.close();
      expect(await firstValueFrom(refused)).toBeInstanceOf(Disconnected);
    });

    it("are answered while the carrier closes", async () => {
      const { peer, host } = await stage(10_000);
      peer.call(1, "ask");
      const { id } = await peer.question();
      const closed = host.close();
      peer.respond(id, accept);
      expect(textOf(await peer.answer(1))).toBe("accept red");
      await closed;
    });
  });
}
