import { Disconnected } from "mcp-headway";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type SessionLimits, Sessions } from "../../src/transports/sessions.ts";

const client = { protocolVersion: "2025-11-25", client: { info: undefined, capabilities: {} } };

function create(limits: Partial<SessionLimits> = {}, principal?: unknown) {
  const sessions = new Sessions({ sessionIdleMs: 1_000, maxSessions: 3, ...limits });
  const open = () => sessions.open(client, principal) ?? expect.fail("Expected a session");
  return { sessions, open, isLive: (id: string) => sessions.find(id, principal) !== undefined };
}

describe("sessions", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("expire after they were idle for a while, with one timer for all", () => {
    const { sessions, open } = create();
    const [first, second] = [open(), open()];
    vi.advanceTimersByTime(600);
    const third = open();
    expect(sessions.find(second.id, undefined)).toBe(second);
    expect(vi.getTimerCount()).toBe(1);
    const ended = vi.spyOn(first, "end");
    vi.advanceTimersByTime(399);
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(ended).toHaveBeenCalledExactlyOnceWith(expect.any(Disconnected));
    expect(vi.getTimerCount()).toBe(1);
    const others = [second, third].map((session) => vi.spyOn(session, "end"));
    vi.advanceTimersByTime(599);
    for (const end of others) expect(end).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    for (const end of others) expect(end).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are not idle while a response is open", () => {
    const { sessions, open, isLive } = create();
    const session = open();
    const [release, releaseOther] = [sessions.hold(session), sessions.hold(session)];
    vi.advanceTimersByTime(10_000);
    release();
    release();
    vi.advanceTimersByTime(10_000);
    expect(isLive(session.id)).toBe(true);
    releaseOther();
    vi.advanceTimersByTime(999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(isLive(session.id)).toBe(false);
  });

  it("give way when there are too many, unless all are busy", () => {
    const { sessions, open, isLive } = create();
    const [first, second, third] = [open(), open(), open()];
    const release = sessions.hold(first);
    const fourth = open();
    expect([first, third, fourth].map(({ id }) => isLive(id))).toEqual([true, true, true]);
    expect(isLive(second.id)).toBe(false);
    for (const session of [third, fourth]) sessions.hold(session);
    expect(sessions.open(client, undefined)).toBeUndefined();
    release();
    expect(sessions.open(client, undefined)).toBeDefined();
  });

  it("that have ended are not brought back by the close of their last response", () => {
    const { sessions, open, isLive } = create();
    const session = open();
    const release = sessions.hold(session);
    sessions.end(session, new Disconnected());
    release();
    expect(isLive(session.id)).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leave no timer behind when they are closed", () => {
    const { sessions, open, isLive } = create();
    const session = open();
    sessions.close(new Disconnected());
    expect([vi.getTimerCount(), isLive(session.id)]).toEqual([0, false]);
  });

  it.each([
    [undefined, null],
    [{ sub: "a" }, { sub: "b" }],
    [{ sub: "a" }, undefined],
    ["a", { 0: "a" }],
    [
      [1, 2],
      [2, 1],
    ],
  ])("of %j are unknown to %j", (owner, other) => {
    const { sessions, open } = create({}, owner);
    const { id } = open();
    expect(sessions.find(id, other)).toBeUndefined();
    expect(sessions.find(id, structuredClone(owner))).toBeDefined();
  });

  it("know their principal by what it holds, in whatever order", () => {
    const { sessions, open } = create({}, { sub: "a", org: { id: 1, name: "b" } });
    expect(sessions.find(open().id, { org: { name: "b", id: 1 }, sub: "a" })).toBeDefined();
  });
});
