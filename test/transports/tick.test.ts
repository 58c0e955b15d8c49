import { describe, expect, it, onTestFinished, vi } from "vitest";
import { atTickEnd } from "../../src/transports/tick.ts";

describe("the end of a tick", () => {
  it("comes to all that asked for it, in their order, once the code that runs has returned", async () => {
    const told: string[] = [];
    atTickEnd({ tick: () => told.push("first") });
    atTickEnd({ tick: () => told.push("second") });
    expect(told).toEqual([]);
    await Promise.resolve();
    expect(told).toEqual(["first", "second"]);
  });

  it("comes anew for who asks while it is told", async () => {
    const told: string[] = [];
    const again = { tick: () => told.push("again") };
    atTickEnd({ tick: () => atTickEnd(again) });
    atTickEnd({ tick: () => told.push("other") });
    await new Promise(setImmediate);
    expect(told).toEqual(["other", "again"]);
  });

  it("comes to the others also when one throws, whose fault is thrown on", async () => {
    const thrown = vi.fn<(cause: unknown) => void>();
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", thrown);
    onTestFinished(() => {
      process.removeAllListeners("uncaughtException");
      for (const listener of listeners) process.on("uncaughtException", listener);
    });
    const tick = vi.fn();
    const fault = new Error("broken");
    atTickEnd({
      tick: () => {
        throw fault;
      },
    });
    atTickEnd({ tick });
    await new Promise(setImmediate);
    expect(tick).toHaveBeenCalledTimes(1);
    expect(thrown.mock.calls.map(([cause]) => cause)).toEqual([fault]);
  });
});
