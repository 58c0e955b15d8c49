import { describe, expect, it } from "vitest";
import { turn } from "../../src/transports/turn.ts";

/** How many microtasks a loop ran that awaits nothing but turns, until a timer stopped it. */
async function loop(): Promise<number> {
  let stopped = false;
  let count = 0;
  setTimeout(() => {
    stopped = true;
  }, 1);
  while (!stopped && count < 50_000_000) {
    count += 1;
    await turn();
  }
  return count;
}

describe("a turn of the event loop", () => {
  it("comes at last to a loop that awaits nothing else, twice as well", async () => {
    for (const count of [await loop(), await loop()]) {
      expect(count).toBeGreaterThan(100);
      expect(count).toBeLessThan(50_000_000);
    }
  });

  it("is not waited for while it is young", async () => {
    await new Promise(setImmediate);
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    for (let count = 0; count < 10; count += 1) await turn();
    expect(turned).toBe(false);
  });
});
