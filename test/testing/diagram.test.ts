import fc from "fast-check";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import type { RequestEvent } from "../../src/events/index.ts";
import { draw, drawSpan, type Marble } from "../../src/testing/diagram.ts";
import { type ExpectedEvent, Legend, print } from "../../src/testing/legend.ts";
import { lettersOf } from "../../src/testing/scene.ts";

/** Reads a picture as RxJS does within a test. */
function read(picture: string): readonly Marble[] {
  const scheduler = new TestScheduler(() => true);
  return scheduler.run(() => lettersOf(picture)).map(({ frame, letter: sign }) => ({ frame, sign }));
}

describe("a picture", () => {
  it.each([
    ["", []],
    ["-a-(b|)", [1, 3, 3]],
    ["250ms a-b 40ms |", [250, 252, 293]],
    ["0.5ms a", [0.5]],
  ])("%j is what RxJS reads", (picture, frames) => {
    const marbles = read(picture);
    expect(marbles.map(({ frame }) => frame)).toEqual(frames);
    expect(draw(marbles)).toBe(picture);
  });

  it("of any series that has one is read as that series", () => {
    const sign = fc.constantFrom("a", "b", "1", "9", "?", "|");
    const step = fc.record({
      gap: fc.oneof(fc.nat(30), fc.constant(0.5)),
      signs: fc.array(sign, { minLength: 1, maxLength: 3 }),
    });
    let drawn = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        let frame = 0;
        const marbles = steps.flatMap(({ gap, signs }) => {
          frame += gap;
          const group = signs.map((each) => ({ frame, sign: each }));
          frame += signs.length > 1 ? signs.length + 2 : 1;
          return group;
        });
        drawn += marbles.length;
        expect(read(draw(marbles) ?? "none")).toEqual(marbles);
      }),
    );
    expect(drawn).toBeGreaterThan(0);
  });

  it("is none when something follows a group too closely", () => {
    const group = ["a", "b"].map((sign) => ({ frame: 0, sign }));
    expect(draw([...group, { frame: 3, sign: "c" }])).toBeUndefined();
    expect(draw([...group, { frame: 4, sign: "c" }])).toBe("(ab)c");
  });

  it("of a subscription has its begin and its end", () => {
    expect(drawSpan({ subscribedFrame: 2, unsubscribedFrame: 5 })).toBe("--^--!");
    expect(drawSpan({ subscribedFrame: 0, unsubscribedFrame: Infinity })).toBe("^");
  });
});

describe("a legend", () => {
  const result: RequestEvent = {
    type: "result",
    result: { content: [{ type: "text", text: "x" }], resultType: "complete" },
  };
  const matches = (value: ExpectedEvent, event: RequestEvent) => new Legend({ v: value }).matches("v", event);

  it("takes an update for the same only when it says exactly as much", () => {
    const update = { type: "progress", progress: 1, total: 2 } as const;
    expect(matches(update, update)).toBe(true);
    expect(matches(update, { ...update, message: "" })).toBe(false);
    expect(matches({ type: "progress", progress: 1 }, update)).toBe(false);
    expect(matches({ type: "progress", progress: 1, total: 3 }, update)).toBe(false);
  });

  it("compares of an end what is named, and lists as a whole", () => {
    expect(matches({ type: "result" }, result)).toBe(true);
    expect(matches({ type: "error" }, result)).toBe(false);
    expect(matches({ type: "result", result: { content: [{ text: "x" }] } }, result)).toBe(true);
    expect(matches({ type: "result", result: { content: [{ text: "y" }] } }, result)).toBe(false);
    expect(matches({ type: "result", result: { content: [] } }, result)).toBe(false);
    expect(matches({ type: "result", result: { content: { 0: { text: "x" } } } }, result)).toBe(false);
    expect(matches({ type: "result", result: { isError: undefined } }, result)).toBe(true);
  });

  it("takes a matcher of a test framework anywhere", () => {
    expect(matches(expect.objectContaining({ type: "result" }), result)).toBe(true);
    expect(matches({ type: "result", result: { content: expect.any(Array) } }, result)).toBe(true);
    expect(matches({ type: "result", result: { content: expect.any(String) } }, result)).toBe(false);
  });

  it("prints what has no JSON form as well as it can, and shortens what is long", () => {
    const loop: Record<string, unknown> = {};
    loop.loop = loop;
    expect(print({ n: 1n, f: () => 1 })).toBe('{"n":"1n"}');
    expect(print(loop)).toBe("[object Object]");
    expect(print({ any: expect.any(Array) })).toContain("Any");
    expect(print("x".repeat(1_000)).length).toBeLessThan(420);
  });
});
