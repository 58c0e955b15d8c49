import { guardStdout } from "mcp-headway/stdio";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

describe("guardStdout", () => {
  const stdout = vi.fn(() => true);
  const stderr = vi.fn(() => true);
  const real = { stdout: process.stdout.write, stderr: process.stderr.write };

  beforeEach(() => {
    stdout.mockClear();
    stderr.mockClear();
    process.stdout.write = stdout;
    process.stderr.write = stderr;
  });
  afterEach(() => {
    process.stdout.write = real.stdout;
    process.stderr.write = real.stderr;
  });

  it("sends to stderr what is written to stdout, with all that came with it", () => {
    const release = guardStdout();
    const done = (): void => undefined;
    process.stdout.write("text", "latin1", done);
    expect(stderr.mock.calls).toEqual([["text", "latin1", done]]);
    expect(stdout).not.toHaveBeenCalled();
    release();
    expect(process.stdout.write).toBe(stdout);
  });

  it("stands until everybody who called it has released it, once each", () => {
    const [first, second] = [guardStdout(), guardStdout()];
    first();
    first();
    process.stdout.write("guarded");
    expect(stderr).toHaveBeenCalledOnce();
    second();
    process.stdout.write("free");
    expect(stdout.mock.calls).toEqual([["free"]]);
  });

  it("can be called again after it was released", () => {
    guardStdout()();
    const release = guardStdout();
    process.stdout.write("guarded");
    expect(stderr).toHaveBeenCalledOnce();
    release();
  });

  it("leaves in place what somebody put around it, and passes on to the real stdout then", () => {
    const release = guardStdout();
    const inner = process.stdout.write.bind(process.stdout);
    const wrapper = vi.fn((text: string | Uint8Array) => inner(text));
    process.stdout.write = wrapper;
    release();
    expect(process.stdout.write).toBe(wrapper);
    process.stdout.write("through");
    expect(stdout.mock.calls).toEqual([["through"]]);
    expect(stderr).not.toHaveBeenCalled();
  });

  it("leaves no listener on stderr", () => {
    const before = process.stderr.listenerCount("error");
    const release = guardStdout();
    expect(process.stderr.listenerCount("error")).toBe(before + 1);
    release();
    expect(process.stderr.listenerCount("error")).toBe(before);
  });
});
