import { beforeEach, expect } from "vitest";

// Before anybody fakes it.
const turn = setImmediate;
const printed: string[] = [];
process.on("warning", ({ name, message }) => printed.push(`${name}: ${message}`));

// The last thing in each test, behind its own teardown: what it provokes it is to capture and assert.
beforeEach(({ onTestFinished }) => {
  onTestFinished(async () => {
    // Node prints warnings at the end of the turn.
    await new Promise<void>((resolve) => void turn(resolve));
    expect(printed.splice(0)).toEqual([]);
  });
});
