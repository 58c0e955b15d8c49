import { getEventListeners } from "node:events";
import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { Connection } from "../../src/client/connection.ts";
import type { CallEvent } from "../../src/client/event.ts";
import { Disconnected, McpError } from "../../src/errors.ts";

const envelope = { protocolVersion: "2026-07-28", capabilities: { roots: {} } };
const own = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { roots: {} },
};

/** The bare wire: the test plays the server, message by message. */
function wire() {
  const messages = new Subject<string>();
  const sent: { id: number; method: string; params: Record<string, unknown> }[] = [];
  let closed = 0;
  const connection = new Connection({
    messages,
    send: (text) => sent.push(JSON.parse(text)),
    close: () => void closed++,
  });
  return {
    connection,
    sent,
    closed: () => closed,
    server: messages,
    receive: (...lines: object[]) => {
      for (const line of lines) messages.next(JSON.stringify({ jsonrpc: "2.0", ...line }));
    },
  };
}

function run(connection: Connection, listening = true) {
  const events: CallEvent[] = [];
  const outcome: { error?: unknown; completed?: true } = {};
  const subscription = connection.call("tools/call", { name: "x" }, { envelope, listening }).subscribe({
    next: (event) => events.push(event),
    error: (error) => {
      outcome.error = error;
    },
    complete: () => {
      outcome.completed = true;
    },
  });
  return { events, outcome, subscription };
}

const prog = (progressToken: unknown, progress: number) => ({
  method: "notifications/progress",
  params: { progressToken, progress },
});
const result = (id: unknown, value: number) => ({ id, result: { value } });

describe("arrival order is the only order", () => {
  it("delivers progress and the result that came in one chunk, in order", () => {
    const { connection, receive } = wire();
    const { events, outcome } = run(connection);
    receive(prog(1, 1), prog(1, 2), result(1, 7));
    expect(events).toEqual([
      { type: "progress", progress: 1 },
      { type: "progress", progress: 2 },
      { type: "result", result: { value: 7 } },
    ]);
    expect(outcome).toEqual({ completed: true });
  });

  it("ignores progress that comes after the result, and goes on", () => {
    const { connection, receive } = wire();
    const first = run(connection);
    receive(prog(1, 1), result(1, 7), prog(1, 3), result(1, 8));
    const second = run(connection);
    receive(prog(1, 4), prog(2, 5), result(2, 9));
    expect(first.events).toHaveLength(2);
    expect(second.events).toEqual([
      { type: "progress", progress: 5 },
      { type: "result", result: { value: 9 } },
    ]);
  });

  it("ignores tokens and ids that were never issued, of either type, and goes on", () => {
    const { connection, receive } = wire();
    const { events, outcome } = run(connection);
    receive(prog("never-issued", 1), prog("1", 1), prog(undefined, 1), prog(null, 1), result("1", 0), result(5, 0));
    receive({ error: { code: -32700, message: "Parse error" } }, { method: "notifications/other", params: {} });
    expect(events).toEqual([]);
    receive(prog(1, 2), result(1, 7));
    expect(events).toHaveLength(2);
    expect(outcome.completed).toBe(true);
  });

  it("ignores progress for a call that did not ask for it", () => {
    const { connection, sent, receive } = wire();
    const { events } = run(connection, false);
    receive(prog(1, 1), result(1, 7));
    expect(sent[0]?.params._meta).toEqual(own);
    expect(events).toEqual([{ type: "result", result: { value: 7 } }]);
  });
});

describe("a call", () => {
  it("is sent on subscription, once for each, with an id and a token of its own", () => {
    const { connection, sent } = wire();
    const call = connection.call("tools/call", { name: "x" }, { envelope, listening: true });
    expect(sent).toEqual([]);
    call.subscribe();
    call.subscribe();
    const request = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "x", _meta: { ...own, progressToken: id } },
    });
    expect(sent).toEqual([request(1), request(2)]);
  });

  it("keeps its own _meta beside the envelope, which wins", () => {
    const { connection, sent } = wire();
    connection
      .call(
        "x",
        { _meta: { traceparent: "00-1", ...own, "io.modelcontextprotocol/protocolVersion": "1999-01-01" } },
        { envelope, listening: false },
      )
      .subscribe();
    expect(sent[0]?.params).toEqual({ _meta: { traceparent: "00-1", ...own } });
  });

  it("errors with the McpError that the JSON-RPC error is", () => {
    const { connection, receive } = wire();
    const { outcome } = run(connection);
    receive({ id: 1, error: { code: -32602, message: "Unknown tool", data: { name: "x" } } });
    expect(outcome.error).toBeInstanceOf(McpError);
    expect(outcome.error).toMatchObject({ code: -32602, message: "Unknown tool", data: { name: "x" } });
  });

  it("is cancelled by unsubscribing, once, and what comes for it afterwards is ignored", () => {
    const { connection, sent, receive } = wire();
    const { events, outcome, subscription } = run(connection);
    receive(prog(1, 1));
    subscription.unsubscribe();
    subscription.unsubscribe();
    receive(prog(1, 2), result(1, 7));
    expect(sent.slice(1)).toEqual([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }]);
    expect(events).toEqual([{ type: "progress", progress: 1 }]);
    expect(outcome).toEqual({});
  });

  it("is free of its timeout and its signal before its result is told", () => {
    const { connection, sent, receive } = wire();
    const controller = new AbortController();
    const listeners: number[] = [];
    const { signal } = controller;
    connection.call("x", {}, { envelope, listening: false, signal }).subscribe({
      next: () => {
        listeners.push(getEventListeners(signal, "abort").length);
        controller.abort();
      },
    });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    receive(result(1, 7));
    expect(listeners).toEqual([0]);
    expect(sent).toHaveLength(1);
  });

  it("is not cancelled once it has ended", () => {
    const { connection, sent, receive } = wire();
    const { subscription } = run(connection);
    receive(result(1, 7));
    subscription.unsubscribe();
    expect(sent).toHaveLength(1);
  });

  it("that has no JSON form errors and is not sent", () => {
    const { connection, sent } = wire();
    let error: unknown;
    connection.call("x", { big: 1n }, { envelope, listening: true }).subscribe({
      error: (cause) => {
        error = cause;
      },
    });
    expect(error).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
    run(connection);
    expect(sent).toHaveLength(1);
  });
});

describe("the end of a connection", () => {
  it("errors all calls in flight, cancels none of them, and closes the wire once", () => {
    const { connection, sent, closed } = wire();
    const calls = [run(connection), run(connection)];
    connection.close();
    connection.close();
    for (const { outcome } of calls) expect(outcome.error).toBeInstanceOf(Disconnected);
    expect(sent).toHaveLength(2);
    expect(closed()).toBe(1);
  });

  it("lets no further call through", () => {
    const { connection, sent } = wire();
    connection.close();
    const { outcome } = run(connection);
    expect(outcome.error).toMatchObject({ name: "Disconnected", message: "The client was closed" });
    expect(sent).toEqual([]);
  });

  it("may come from the server", () => {
    const { connection, server } = wire();
    const { outcome } = run(connection);
    server.complete();
    expect(outcome.error).toMatchObject({ name: "Disconnected", message: "The server closed the connection" });
  });
});
