import fc from "fast-check";
import { createLiveLines, type LiveLines } from "mcp-headway/terminal";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Clock, Terminal, type TerminalOptions } from "./terminal.ts";

const esc = "\u001b";
const eraseRow = `${esc}[2K${esc}[1A`;
const question = { type: "elicitation", key: "k", request: { method: "elicitation/create", params: {} } } as const;

interface Stage {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly live: LiveLines;
}

function stage(options?: TerminalOptions): Stage {
  const terminal = new Terminal(options);
  const clock = new Clock();
  return { terminal, clock, live: createLiveLines({ stream: terminal, scheduler: clock, intervalMs: 100 }) };
}

beforeEach(() => {
  vi.stubEnv("NO_COLOR", "1");
  vi.stubEnv("TERM", "xterm");
  return () => vi.unstubAllEnvs();
});

describe("the picture in a terminal", () => {
  it("has a line for each call, which moves in place and is gone at the end", () => {
    const { terminal, clock, live } = stage();
    terminal.write("above\n");
    const one = live.open("one");
    const other = live.open("another");
    clock.pass(100);
    expect(terminal.picture).toEqual(["above", "⠙ one      waiting", "⠙ another  waiting"]);
    one.update({ progress: 1, total: 2, message: "half" });
    other.update(question);
    clock.pass(100);
    expect(terminal.picture).toEqual(["above", "⠹ one      ━━━━━─────  50 %  half", "? another  asking"]);
    one.close();
    expect(terminal.picture).toEqual(["above", "? another  asking"]);
    other.close();
    expect(terminal.picture).toEqual(["above"]);
  });

  it("counts the time left down between two updates", () => {
    const { terminal, clock, live } = stage();
    const { update } = live.open("one");
    update({ progress: 10, total: 100 });
    clock.pass(1_000);
    update({ progress: 20, total: 100 });
    clock.pass(100);
    expect(terminal.picture).toEqual(["⠙ one  ━━────────  20 %  10/s  0:08 left"]);
    clock.pass(3_000);
    expect(terminal.picture[0]).toMatch(/0:05 left$/);
  });

  it("shows nothing of a call that is over before it is drawn", () => {
    const { terminal, clock, live } = stage();
    live.open("one").close();
    clock.pass(1_000);
    expect(terminal.raw).toBe("");
    live.open("two");
    clock.pass(1_000);
    expect(terminal.raw).not.toBe("");
  });

  it("runs no timer without a line", () => {
    const { clock, live } = stage();
    const { close } = live.open("one");
    clock.pass(1_000);
    expect(clock.actions).toHaveLength(1);
    close();
    clock.pass(1_000);
    expect(clock.actions).toHaveLength(0);
  });

  it("leaves what is to stay above the lines", () => {
    const { terminal, clock, live } = stage();
    live.open("one");
    const two = live.open("two");
    clock.pass(100);
    live.log("a note");
    two.close("done in no time");
    expect(terminal.picture).toEqual(["a note", "  two  done in no time", "⠙ one  waiting"]);
    live.close();
    expect(terminal.picture).toEqual(["a note", "  two  done in no time"]);
  });

  it("steps aside and comes back, writing meanwhile nothing and later what is to stay", () => {
    const { terminal, clock, live } = stage();
    const { update, close } = live.open("one");
    const two = live.open("two");
    clock.pass(100);
    live.pause();
    live.pause();
    expect(terminal.picture).toEqual([]);
    const { length } = terminal.raw;
    update({ progress: 1, message: "behind the scenes" });
    clock.pass(1_000);
    live.log("a note");
    close("done");
    live.resume();
    clock.pass(1_000);
    expect(terminal.raw).toHaveLength(length);
    live.resume();
    expect(terminal.picture).toEqual(["a note", "  one  done"]);
    clock.pass(100);
    expect(terminal.picture).toHaveLength(3);
    two.close();
  });

  it("shows a call that asked as going on once the prompt is over", () => {
    const { terminal, clock, live } = stage();
    const { update } = live.open("one");
    live.open("two").update(question);
    update({ progress: 10, total: 100 });
    clock.pass(1_000);
    update({ progress: 20, total: 100 });
    update(question);
    clock.pass(100);
    expect(terminal.picture[0]).toMatch(/^\? one {2}━━──────── {2}20 % {2}asking/);
    live.pause();
    clock.pass(60_000);
    live.resume();
    clock.pass(100);
    expect(terminal.picture.map((line) => line.slice(2))).toEqual([
      "one  ━━────────  20 %  10/s  0:08 left",
      "two  waiting",
    ]);
  });

  it("draws as many lines as there is room for, and says how many more there are", () => {
    const { terminal, clock, live } = stage({ rows: 4 });
    for (const name of ["a", "b", "c"]) live.open(name);
    clock.pass(100);
    expect(terminal.picture).toEqual(["⠙ a  waiting", "⠙ b  waiting", "⠙ c  waiting"]);
    live.open("d");
    clock.pass(100);
    expect(terminal.picture).toEqual(["⠹ a  waiting", "⠹ b  waiting", "  … and 2 more"]);
  });
});

describe("a terminal that changes its size", () => {
  it("gets lines as wide as it is, at once", () => {
    const { terminal, clock, live } = stage({ columns: 100 });
    live.open("one").update({ progress: 1, message: "x".repeat(200) });
    clock.pass(100);
    expect(terminal.picture[0]).toHaveLength(100);
    terminal.columns = 120;
    terminal.emit("resize");
    expect(terminal.picture).toHaveLength(1);
    expect(terminal.picture[0]).toHaveLength(120);
  });

  it("has its lines erased as it broke them anew", () => {
    const { terminal, clock, live } = stage({ columns: 100 });
    live.open("one").update({ progress: 1, message: "x".repeat(200) });
    clock.pass(100);
    const { length } = terminal.raw;
    terminal.columns = 40;
    terminal.emit("resize");
    // One line of 100 columns takes three rows of 40: two more than were drawn.
    expect(terminal.raw.slice(length).startsWith(`${eraseRow.repeat(2)}${esc}[?7l`)).toBe(true);
  });

  it("is not listened to without a line", () => {
    const { terminal, live } = stage();
    expect(terminal.listenerCount("resize")).toBe(0);
    const { close } = live.open("one");
    expect(terminal.listenerCount("resize")).toBe(1);
    close();
    expect(terminal.listenerCount("resize")).toBe(0);
  });
});

/** All that the renderer itself has to say to a terminal. */
const own = new RegExp(
  ["\\?2026[hl]", "\\?7[hl]", "2K", "[0-9]*[AB]", "G", "K", "[0-9]+m"].map((code) => `${esc}\\[${code}`).join("|"),
  "g",
);

describe("a hostile server", () => {
  it("gets none of its control characters to the terminal, and no line of its own", () => {
    vi.stubEnv("NO_COLOR", "");
    const part = fc.oneof(
      fc.constantFrom("\u001b", "\u009b", "[2J", "]0;x\u0007", "\n", "\r"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(part)), fc.integer({ min: 1, max: 100 }), (messages, columns) => {
        const { terminal, clock, live } = stage({ columns });
        const { update } = live.open("one");
        for (const [index, parts] of messages.entries()) {
          update({ progress: index, total: 10, message: parts.join("") });
          clock.pass(100);
          expect(terminal.picture).toHaveLength(1);
        }
        expect(terminal.raw.replace(own, "").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        live.close();
        expect(terminal.picture).toEqual([]);
      }),
    );
  });

  it("cannot make a line spill over, whatever width a terminal gives a character: it does not wrap", () => {
    const { terminal, clock, live } = stage();
    live.open("one").update({ progress: 1, message: "नमस्ते ".repeat(50) });
    clock.pass(100);
    expect(terminal.raw.startsWith(`${esc}[?7l`) && terminal.raw.endsWith(`${esc}[?7h`)).toBe(true);
    expect(terminal.raw).toContain("नमस्ते");
  });
});
