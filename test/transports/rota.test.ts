import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Rota } from "../../src/transports/rota.ts";

describe("a rota", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  function create(onDue?: (member: string) => void) {
    const told: string[] = [];
    const rota = new Rota<string>(100, (member) => {
      told.push(member);
      onDue?.(member);
    });
    return { rota, told };
  }

  it("tells each member once, when its time has passed, with one timer for all", () => {
    const { rota, told } = create();
    rota.add("first");
    vi.advanceTimersByTime(40);
    rota.add("second");
    expect(vi.getTimerCount()).toBe(1);
    expect([rota.first, rota.size]).toEqual(["first", 2]);
    vi.advanceTimersByTime(59);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(["first"]);
    vi.advanceTimersByTime(39);
    expect(told).toEqual(["first"]);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual(["first", "second"]);
    expect([rota.first, rota.size, vi.getTimerCount()]).toEqual([undefined, 0, 0]);
  });

  it("begins anew for a member that is put in again", () => {
    const { rota, told } = create();
    for (const member of ["first", "second"]) rota.add(member);
    vi.advanceTimersByTime(60);
    rota.add("first");
    vi.advanceTimersByTime(40);
    expect(told).toEqual(["second"]);
    vi.advanceTimersByTime(60);
    expect(told).toEqual(["second", "first"]);
  });

  it("tells nobody who was taken out, and keeps no timer for nobody", () => {
    const { rota, told } = create();
    for (const member of ["first", "second"]) rota.add(member);
    rota.delete("first");
    rota.delete("unknown");
    expect(vi.getTimerCount()).toBe(1);
    rota.delete("second");
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
    rota.add("third");
    vi.advanceTimersByTime(100);
    expect(told).toEqual(["third"]);
  });

  it("goes on after a fault in one", () => {
    const { rota, told } = create((member) => {
      if (member === "first") throw new Error("fault");
    });
    for (const member of ["first", "second"]) rota.add(member);
    expect(() => vi.advanceTimersByTime(100)).toThrow("fault");
    expect(told).toEqual(["first"]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(["first", "second"]);
  });

  it("takes who is put in, and leaves who is taken out, while it tells", () => {
    const { rota, told } = create((member) => {
      if (member === "first") rota.delete("second");
      if (told.length < 3) rota.add(member);
    });
    for (const member of ["first", "second", "third"]) rota.add(member);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(["first", "third"]);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(["first", "third", "first", "third"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
