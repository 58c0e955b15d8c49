import { describe, expect, it } from "vitest";
import { Traffic } from "../../src/transports/traffic.ts";

/** What was counted, `writes` in each of some spans of ten milliseconds. */
function trafficOf(...writes: readonly number[]): Traffic {
  const traffic = new Traffic();
  for (const [span, count] of writes.entries()) {
    for (let write = 0; write < count; write += 1) traffic.count(1_000 + span * 10);
  }
  return traffic;
}

describe("traffic", () => {
  it("stretches nothing while nothing is written, or by a few connections", () => {
    expect(new Traffic().stretchMs(1_000)).toBe(0);
    expect(trafficOf(40, 40).stretchMs(1_015)).toBe(0);
  });

  it("stretches the more, the more is written", () => {
    expect(trafficOf(400).stretchMs(1_005)).toBe(4);
    expect(trafficOf(400, 300).stretchMs(1_015)).toBe(7);
  });

  it("never stretches by more than what nobody sees", () => {
    expect(trafficOf(100_000).stretchMs(1_005)).toBe(8);
  });

  it("remembers the span before, and forgets what is older", () => {
    expect(trafficOf(400, 0).stretchMs(1_015)).toBe(trafficOf(400).stretchMs(1_005));
    expect(trafficOf(400).stretchMs(1_025)).toBe(0);
    expect(trafficOf(400, 1).stretchMs(1_025)).toBe(0);
  });

  it("takes a clock that was set back for a new beginning", () => {
    const traffic = trafficOf(400);
    expect(traffic.stretchMs(5)).toBe(0);
  });
});
