import { describe, expect, it } from "vitest";
import { Batch } from "../../src/transports/batch.ts";

const frame = (name: string, length = 100_000): string => name.padEnd(length, ".");

describe("a batch", () => {
  it("goes in one write, unless it is a pile", () => {
    const batch = new Batch<object>();
    for (const name of ["a", "b"]) batch.add({}, frame(name));
    expect(batch.take()).toHaveLength(2);
    expect(batch.isEmpty).toBe(true);
    for (const name of ["a", "b", "c", "d"]) batch.add({}, frame(name));
    expect(batch.take().map(([name]) => name)).toEqual(["a", "b", "c"]);
    expect(batch.size).toBe(100_000);
    batch.add({}, frame("e", 10));
    expect(batch.take().map(([name]) => name)).toEqual(["d", "e"]);
    expect([batch.size, batch.isEmpty]).toEqual([0, true]);
  });

  it("forgets what an owner has left in the rest of a pile, and nothing of another", () => {
    const batch = new Batch<object>();
    const [one, two] = [{}, {}];
    for (const name of ["a", "b", "c", "d", "e"]) batch.add("ace".includes(name) ? one : two, frame(name));
    expect(batch.take().map(([name]) => name)).toEqual(["a", "b", "c"]);
    batch.forget(one);
    expect(batch.size).toBe(100_000);
    expect(batch.take().map(([name]) => name)).toEqual(["d"]);
    batch.forget(two);
    expect(batch.isEmpty).toBe(true);
  });
});
