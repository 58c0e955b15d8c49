import { getEventListeners } from "node:events";
import { defineResource, defineTool, type McpServer, type RequestEvent } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { ask, errorOf, observe, resultOf, serverOf } from "./kit.ts";

const resources = [
  defineResource({ uri: "a:1", name: "one", read: () => "x" }),
  defineResource({ uriTemplate: "b:{id}", name: "family", read: () => "x" }),
];
const open = () => serverOf({ resources }).server;
const subscriptionId = (id: string | number) => ({ "io.modelcontextprotocol/subscriptionId": id });
const listen = (server: McpServer, filter: object, more: Parameters<typeof observe>[1] = {}, known = {}) =>
  observe(server, { method: "subscriptions/listen", params: { notifications: filter }, ...more }, known);
const updated = (uri: string, id: string | number = 1) => ({
  type: "notification",
  method: "notifications/resources/updated",
  params: { _meta: subscriptionId(id), uri },
});
const withAbort = () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};
const grantedIn = (events: readonly RequestEvent[]) =>
  events.map((event) => event.type === "notification" && "notifications" in event.params && event.params.notifications);
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("subscriptions/listen", () => {
  it("acknowledges first, with the part of the filter that it grants", () => {
    const filter = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const { events } = listen(open(), { ...filter, resourceSubscriptions: ["a:1", "b:7", "c:9", "a:1"] }, { id: "s" });
    expect(events).toEqual([
      {
        type: "notification",
        method: "notifications/subscriptions/acknowledged",
        params: { _meta: subscriptionId("s"), notifications: { resourceSubscriptions: ["a:1", "b:7"] } },
      },
    ]);
  });

  it("grants nothing to who asked for nothing that changes here", () => {
    const { events, ended } = listen(open(), { toolsListChanged: true });
    expect(grantedIn(events)).toEqual([{}]);
    expect(ended()).toBeUndefined();
  });

  it("delivers updates only to those who asked for them", () => {
    const server = open();
    const first = listen(server, { resourceSubscriptions: ["a:1"] }, { id: 0 });
    const second = listen(server, { resourceSubscriptions: ["b:7"] }, { id: "" });
    const third = listen(server, {});
    server.announce.resourceUpdated("a:1");
    server.announce.resourceUpdated("b:7");
    server.announce.resourceUpdated("b:8");
    expect(first.events.slice(1)).toEqual([updated("a:1", 0)]);
    expect(second.events.slice(1)).toEqual([updated("b:7", "")]);
    expect(third.events).toHaveLength(1);
  });

  it("ends with its result when its carrier begins to close", async () => {
    const closing = new AbortController();
    const { end } = listen(open(), {}, { id: "s", closing: closing.signal });
    closing.abort();
    expect(resultOf(await end)).toEqual({
      resultType: "complete",
      _meta: {
        ...subscriptionId("s"),
        "io.modelcontextprotocol/serverInfo": { name: "help-desk", version: "1.0.0" },
      },
    });
  });

  it("shares one listener of its carrier's end with all others, and leaves none behind", async () => {
    const { signal, abort } = withAbort();
    const server = open();
    const all = Array.from({ length: 20 }, (_, id) => listen(server, {}, { id, closing: signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    all.pop()?.subscription.unsubscribe();
    abort();
    await Promise.all(all.map(({ end }) => end));
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const again = withAbort();
    listen(server, {}, { closing: again.signal }).subscription.unsubscribe();
    expect(getEventListeners(again.signal, "abort")).toEqual([]);
  });

  it("is acknowledged and ended by a carrier that was closing already", async () => {
    const { events, end } = listen(open(), {}, { closing: AbortSignal.abort() });
    await end;
    expect(events.map(({ type }) => type)).toEqual(["notification", "notification", "result"]);
  });

  it("on a shared channel is cancelled by the server that ends it, before its result", async () => {
    const overStdio = new AbortController();
    const shared = listen(open(), {}, { id: "s", closing: overStdio.signal });
    overStdio.abort();
    await shared.end;
    expect(shared.events.slice(1, -1)).toMatchObject([
      { method: "notifications/cancelled", params: { requestId: "s", _meta: subscriptionId("s") } },
    ]);
    const overHttp = new AbortController();
    const header = (name: string) => (name === "mcp-method" ? "subscriptions/listen" : undefined);
    const streamed = listen(open(), {}, { closing: overHttp.signal }, { header });
    overHttp.abort();
    await streamed.end;
    expect(streamed.events.slice(1, -1)).toEqual([]);
  });

  it("ends with its result when the server closes, at once", async () => {
    const server = open();
    const { ended } = listen(server, {});
    const closed = server.close();
    expect(ended()?.type).toBe("result");
    await closed;
  });

  it("hears nothing after it was left or ended, and leaves no listener behind", async () => {
    const server = open();
    const closing = new AbortController();
    let listeners = 0;
    const { addEventListener: add, removeEventListener: remove } = closing.signal;
    closing.signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add.apply(closing.signal, args);
    };
    closing.signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove.apply(closing.signal, args);
    };
    const left = listen(server, { resourceSubscriptions: ["a:1"] }, { closing: closing.signal });
    expect(listeners).toBe(1);
    left.subscription.unsubscribe();
    expect(listeners).toBe(0);
    server.announce.resourceUpdated("a:1");
    expect(left.events).toHaveLength(1);
  });

  it("costs a client that does not read no more than it subscribed to", async () => {
    const server = open();
    let drain: () => void = () => undefined;
    const drained = () => new Promise<void>((resolve) => (drain = resolve));
    const { events } = listen(server, { resourceSubscriptions: ["a:1", "b:7"] }, {}, { drained });
    for (let round = 0; round < 1_000; round++) {
      server.announce.resourceUpdated("a:1");
      server.announce.resourceUpdated("b:7");
    }
    expect(events.slice(1)).toEqual([updated("a:1")]);
    for (let round = 0; round < 5; round++) {
      drain();
      await tick();
    }
    expect(events.slice(1)).toEqual([updated("a:1"), updated("b:7"), updated("a:1")]);
  });

  it.each([
    ["no filter", {}],
    ["a filter that is no object", { notifications: [] }],
    ["addresses that are no strings", { notifications: { resourceSubscriptions: [1] } }],
  ])("answers %s with -32602", async (_, params) => {
    expect(errorOf(await ask(open(), "subscriptions/listen", params)).code).toBe(-32602);
  });

  it("is granted nothing by a server without resources", () => {
    const tool = defineTool({ name: "t", description: "d", handler: () => undefined });
    const { events } = listen(serverOf({ tools: [tool] }).server, { resourceSubscriptions: ["a:1"] });
    expect(grantedIn(events)).toEqual([{}]);
    // The control: where there are resources, an unknown one leaves an empty list.
    const known = listen(open(), { resourceSubscriptions: ["x:1"] });
    expect(grantedIn(known.events)).toEqual([{ resourceSubscriptions: [] }]);
  });
});
