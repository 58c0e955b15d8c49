import { afterEach, expect, it, vi } from "vitest";
import { Diagnostics } from "../../src/events/index.ts";
import { after } from "../../src/transports/timer.ts";
import { warnUnheard } from "../../src/transports/warn.ts";
import { hostile } from "../hostile.ts";

afterEach(() => void vi.restoreAllMocks());

it("prints the first unheard diagnostic of each kind, once, however many carriers serve", () => {
  const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const diagnostics = new Diagnostics();
  warnUnheard({ diagnostics });
  warnUnheard({ diagnostics });
  for (const message of ["first", "second"]) diagnostics.report({ type: "merged-progress", message });
  diagnostics.report({ type: "handler-failed", message: "failed", handlerName: "t", cause: new Error("why") });
  const more = expect.stringContaining("subscribe to the `diagnostics`");
  expect(emitWarning.mock.calls).toEqual([
    ["first", { type: "McpHeadwayWarning", code: "merged-progress", detail: more }],
    ["t: failed: why", { type: "McpHeadwayWarning", code: "handler-failed", detail: more }],
  ]);
  // The stack of what was thrown names the handler's own line.
  expect(emitWarning.mock.calls[1]?.[1]).toHaveProperty("detail", expect.stringContaining("warn.test.ts"));
});

it("prints nothing while somebody subscribes, and again once nobody does", () => {
  const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const diagnostics = new Diagnostics();
  warnUnheard({ diagnostics });
  const subscription = diagnostics.subscribe(() => undefined);
  diagnostics.report({ type: "late-progress", message: "heard" });
  expect(emitWarning).not.toHaveBeenCalled();
  subscription.unsubscribe();
  diagnostics.report({ type: "late-progress", message: "unheard" });
  expect(emitWarning).toHaveBeenCalledOnce();
});

it("holds the process with no timer of a carrier", () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const stop = after(60_000, () => undefined);
  expect(timers()).toBe(before);
  const held = setTimeout(() => undefined, 60_000);
  expect(timers()).toBe(before + 1);
  clearTimeout(held);
  stop();
});

it.each(hostile)("prints a diagnostic whatever its cause: %s", (_, make) => {
  const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const diagnostics = new Diagnostics();
  warnUnheard({ diagnostics });
  diagnostics.report({ type: "handler-failed", message: "failed", cause: make() });
  expect(emitWarning).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^failed: ./), expect.anything());
});

it("takes no diagnostic for printed that could not be", () => {
  const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const diagnostics = new Diagnostics();
  warnUnheard({ diagnostics });
  emitWarning.mockImplementationOnce(() => {
    throw new Error("no");
  });
  for (const message of ["first", "second", "third"]) diagnostics.report({ type: "late-progress", message });
  expect(emitWarning.mock.calls.map(([message]) => message)).toEqual(["first", "second"]);
});
