import { Cancelled, Disconnected, type RequestEvent, type Servable } from "mcp-headway";
import { NEVER, Observable, Subject } from "rxjs";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Diagnostics } from "../../src/events/index.ts";
import { Session, type SessionOptions } from "../../src/transports/serve.ts";
import type { Sink } from "../../src/transports/sink.ts";
import { bare } from "../../src/wire/index.ts";
import { callOf, type Message } from "./peer.ts";

/** A sink that takes what it is told to. */
function createSink() {
  const written: Message[] = [];
  const dones: (() => void)[] = [];
  const sink: Sink = {
    get idle() {
      return dones.length === 0;
    },
    write(frames, _last, writer) {
      written.push(...frames.map((frame) => JSON.parse(frame) as Message));
      dones.push(() => writer.done());
    },
  };
  return { sink, written, takeAll: () => dones.splice(0).forEach((done) => void done()) };
}

function open(dispatch: Servable["dispatch"], options: Partial<SessionOptions> = {}) {
  const { sink, written, takeAll } = createSink();
  const drop = vi.fn();
  const diagnostics = new Diagnostics();
  const session = new Session({ dispatch, diagnostics }, sink, { framing: bare, drop, ...options });
  const call = (id: unknown, token?: unknown) => session.receive(JSON.stringify(callOf(id, "any", {}, token)));
  return { session, call, written, takeAll, drop, diagnostics };
}

const turn = () => new Promise(setImmediate);

/** A dispatch that is run by hand, and why each request was left. */
function byHand() {
  const events = new Map<string | number, Subject<RequestEvent>>();
  const left: unknown[] = [];
  const dispatch: Servable["dispatch"] = ({ id, whyLeft }) =>
    new Observable((subscriber) => {
      const subject = new Subject<RequestEvent>();
      events.set(id, subject);
      const subscription = subject.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        if (whyLeft?.() !== undefined) left.push(whyLeft());
      };
    });
  const finish = (id: string | number): void => {
    events.get(id)?.next({ type: "result", result: { resultType: "complete" } });
    events.get(id)?.complete();
  };
  return { dispatch, events, left, finish };
}

describe("a session", () => {
  afterEach(() => void vi.useRealTimers());

  it("refuses more requests than may be open, and takes more once one has ended", async () => {
    const { dispatch, finish } = byHand();
    const { call, written, takeAll } = open(dispatch, { maxInFlight: 2 });
    for (const id of [1, 2, 3]) call(id);
    await turn();
    expect(written).toMatchObject([{ id: 3, error: { code: -32603 } }]);
    takeAll();
    finish(1);
    call(4);
    await turn();
    expect(written.slice(1)).toMatchObject([{ id: 1 }]);
  });

  it("tells why a request was left", () => {
    const { dispatch, left } = byHand();
    const { session, call } = open(dispatch);
    for (const id of [1, 2]) call(id);
    session.receive(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"bored"}}`);
    session.disconnect();
    expect(left).toEqual([expect.any(Cancelled), expect.any(Disconnected)]);
    expect(String(left[0])).toContain("bored");
  });

  it("aborts a request that is cancelled while its handler is being started", async () => {
    const left: unknown[] = [];
    const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`;
    const opened = open(({ whyLeft }) => {
      opened.session.receive(cancel);
      return new Observable(() => () => left.push(whyLeft?.()));
    });
    opened.call(1);
    expect(left).toEqual([expect.any(Cancelled)]);
    opened.call(1);
    await turn();
    expect(opened.written).toEqual([]);
  });

  it("drops a peer that takes nothing for writeTimeoutMs, and says so", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { dispatch, left } = byHand();
    const { session, call, drop, diagnostics } = open(dispatch, { writeTimeoutMs: 1_000 });
    const told: string[] = [];
    diagnostics.subscribe(({ type }) => told.push(type));
    call(1);
    session.receive("no json");
    await turn();
    vi.advanceTimersByTime(999);
    expect(drop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(drop).toHaveBeenCalledOnce();
    expect(left).toEqual([expect.any(Disconnected)]);
    expect(told).toEqual(["slow-client"]);
    vi.advanceTimersByTime(10_000);
    expect(drop).toHaveBeenCalledOnce();
  });

  it("is over when its sink throws: what runs is aborted, the peer dropped, and the cause reported", async () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    onTestFinished(() => emitWarning.mockRestore());
    const { dispatch, events, left } = byHand();
    const drop = vi.fn();
    const diagnostics = new Diagnostics();
    const reported: unknown[] = [];
    diagnostics.unheard.subscribe((diagnostic) => reported.push(diagnostic));
    const sink: Sink = {
      idle: true,
      write: () => {
        throw new RangeError("Invalid string length");
      },
    };
    const session = new Session({ dispatch, diagnostics }, sink, { framing: bare, drop });
    for (const id of [1, 2]) session.receive(JSON.stringify(callOf(id, "any", {}, id)));
    expect(drop).not.toHaveBeenCalled();
    events.get(1)?.next({ type: "progress", progress: 1 });
    await turn();
    expect(drop).toHaveBeenCalledOnce();
    expect(left).toEqual([expect.any(Disconnected), expect.any(Disconnected)]);
    expect(reported).toMatchObject([{ type: "connection-failed", cause: expect.any(RangeError) }]);
    expect(emitWarning).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("Invalid string length"),
      expect.objectContaining({ code: "connection-failed" }),
    );
  });

  it("stops reading while a mebibyte of answers waits, and reads on when they are taken", async () => {
    const pause = vi.fn();
    const { session, takeAll } = open(() => NEVER, { pause });
    const wrong = JSON.stringify({ jsonrpc: "2.0", id: "x".repeat(10_000), method: 7 });
    for (let count = 0; count < 50; count += 1) session.receive(wrong);
    expect(pause).not.toHaveBeenCalled();
    for (let count = 0; count < 100; count += 1) session.receive(wrong);
    expect(pause.mock.calls).toEqual([[true]]);
    for (let part = 0; part < 10 && pause.mock.calls.length === 1; part += 1) {
      takeAll();
      await turn();
    }
    expect(pause.mock.calls).toEqual([[true], [false]]);
  });

  it("is dead once it is disconnected: it starts nothing and writes nothing", async () => {
    const { dispatch, events } = byHand();
    const { session, call, written } = open(dispatch);
    call(1);
    session.disconnect();
    call(2);
    session.refuse({ code: -32700, message: "Parse error" });
    await turn();
    expect([...events.keys()]).toEqual([1]);
    expect(written).toEqual([]);
  });

  it("stops reading for what a carrier refuses as well", () => {
    const pause = vi.fn();
    const { session } = open(() => NEVER, { pause });
    for (let count = 0; count < 150; count += 1) session.refuse({ code: -32700, message: "x".repeat(10_000) });
    expect(pause.mock.calls).toEqual([[true]]);
  });

  it("refuses new requests once it closes, and answers those it aborts", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { dispatch, left } = byHand();
    const { session, call, written, takeAll } = open(dispatch);
    call(1);
    const closed = session.close(1_000);
    call(2);
    await turn();
    expect(written).toMatchObject([{ id: 2, error: { code: -32603 } }]);
    takeAll();
    vi.advanceTimersByTime(1_000);
    await turn();
    expect(written.slice(1)).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(left).toEqual([expect.any(Disconnected)]);
    takeAll();
    await closed;
  });

  it("keeps an answer at a distance from the last update, and lets nothing else wait", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { dispatch, events, finish } = byHand();
    const { call, written, takeAll } = open(dispatch, { answerGapMs: 10 });
    for (const id of [1, 2]) call(id, id);
    events.get(1)?.next({ type: "progress", progress: 1 });
    for (const id of [1, 2]) finish(id);
    await turn();
    takeAll();
    expect(written.map(({ id, method }) => id ?? method)).toEqual(["notifications/progress", 2]);
    vi.advanceTimersByTime(9);
    await turn();
    expect(written).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await turn();
    expect(written[2]?.id).toBe(1);
  });

  it("sends an answer that keeps its distance as it was when it came", async () => {
    vi.useFakeTimers();
    const { dispatch, events } = byHand();
    const { call, written, takeAll } = open(dispatch, { answerGapMs: 10 });
    call(1, "a");
    events.get(1)?.next({ type: "progress", progress: 1 });
    await vi.advanceTimersByTimeAsync(0);
    takeAll();
    const result = { resultType: "complete", content: [{ type: "text", text: "then" }] };
    events.get(1)?.next({ type: "result", result });
    result.content.length = 0;
    expect(written).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(written[1]?.result?.content).toEqual([{ type: "text", text: "then" }]);
  });

  it("sends an answer that keeps its distance when it closes, and does not abort it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { dispatch, events, finish } = byHand();
    const { session, call, written, takeAll } = open(dispatch, { answerGapMs: 10 });
    call(1, "a");
    events.get(1)?.next({ type: "progress", progress: 1 });
    finish(1);
    const closed = session.close(0);
    await turn();
    takeAll();
    vi.advanceTimersByTime(0);
    await turn();
    takeAll();
    await closed;
    expect(written).toMatchObject([{ method: "notifications/progress" }, { id: 1, result: {} }]);
    vi.advanceTimersByTime(100);
    expect(written).toHaveLength(2);
  });

  it("is hastened by a second close with less grace", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { dispatch, left } = byHand();
    const { session, call, takeAll } = open(dispatch);
    call(1);
    const closed = [session.close(60_000), session.close(10)];
    vi.advanceTimersByTime(10);
    await turn();
    takeAll();
    await Promise.all(closed);
    expect(left).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ignores responses, for it asks nothing", async () => {
    const { session, written } = open(() => NEVER);
    session.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
    session.receive('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}');
    await turn();
    expect(written).toEqual([]);
    session.receive("{");
    await turn();
    expect(written).toHaveLength(1);
  });
});
