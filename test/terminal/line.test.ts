import fc from "fast-check";
import type { ProgressState } from "mcp-headway/client";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../../src/terminal/cells.ts";
import { printLine } from "../../src/terminal/line.ts";
import { plainText } from "../../src/terminal/text.ts";
import { themeFor, unpainted } from "../../src/terminal/theme.ts";

const half = { state: "running", progress: 30, total: 60, fraction: 0.5 } as const;
const timed = { ...half, ratePerSecond: 20, etaMs: 1_500 } as const;
const grid = { name: 6, rate: 4, left: 4 };

interface Place {
  readonly columns?: number;
  readonly name?: string;
  readonly TERM?: string;
}

function print(state: ProgressState, { columns = 60, name = "import", TERM }: Place = {}): string {
  const options = { name, grid, columns, frame: 0, theme: themeFor({ TERM, NO_COLOR: "1" }) };
  return printLine(cellsOf(state), options);
}

describe("a line", () => {
  it.each<[string, ProgressState, string]>([
    ["waits", { state: "waiting" }, "⠋ import  waiting"],
    ["has a bar with a total", half, "⠋ import  ━━━────  50 %"],
    ["has rate and time left", timed, "⠋ import  ━━━────  50 %  20/s  0:02 left"],
    ["counts without a total", { state: "running", progress: 1_234 }, "⠋ import          1,234"],
    ["ends with the message", { ...timed, message: "tea" }, "⠋ import  ━━━────  50 %  20/s  0:02 left  tea"],
    ["asks", { ...half, state: "asking" }, "? import  ━━━────  50 %  asking"],
    ["asks before there is progress", { state: "asking" }, "? import  asking"],
    ["has no rate of a whole that is 1", { ...timed, total: 1 }, "⠋ import  ━━━────  50 %        0:02 left"],
  ])("%s", (_, state, expected) => {
    expect(print(state)).toBe(expected);
  });

  it("leaves out what has no room, the name and the state last", () => {
    const state = { ...timed, message: "imported a rather long name of an article" };
    expect([100, 60, 40, 30, 12].map((columns) => print(state, { columns }))).toEqual([
      "⠋ import  ━━━━━━──────  50 %  20/s  0:02 left  imported a rather long name of an article",
      "⠋ import  ━━━────  50 %  20/s  0:02 left  imported … article",
      "⠋ import  ━━───  50 %  0:02  impor…ticle",
      "⠋ import  ━──  50 %  0:02",
      "⠋ i…   50 %",
    ]);
  });

  it.each([
    ["runs", { ...timed, message: "imported a rather long name of an article" }],
    ["asks", { ...half, state: "asking" }],
    ["waits", { state: "waiting" }],
    ["has no total", { state: "running", progress: 1_234, ratePerSecond: 20 }],
  ] as const)("has its figures whole or not at all when it %s, in any width", (_, state) => {
    const whole = /^([━─]+|50 %|1,234|20\/s|0:02( left)?|asking|waiting)$/;
    for (let columns = 1; columns <= 120; columns += 1) {
      const [head, ...figures] = print({ ...state, message: "" }, { columns }).split(/ {2,}/);
      expect(head).toMatch(/^[⠋?]( (im?p?o?…|…|import))?$/);
      for (const figure of figures) expect(figure).toMatch(whole);
      expect(figures.length > 0).toBe(columns >= 13 || (columns >= 11 && state.state !== "waiting"));
      expect(print(state, { columns }).startsWith(print({ ...state, message: "" }, { columns }))).toBe(true);
    }
  });

  it("has in 20 columns no time left rather than half of one, and in 22 the whole", () => {
    const lines = [20, 21, 22].map((columns) => print({ ...timed, message: "tea" }, { columns }));
    expect(lines).toEqual(["⠋ imp…  ━─  50 %", "⠋ imp…  ━─  50 %", "⠋ imp…  ━─  50 %  0:02"]);
  });

  it("cuts a long name", () => {
    expect(print({ state: "waiting" }, { name: "a name without end" })).toBe("⠋ a nam…  waiting");
  });

  it("is drawn in ASCII where the font has no more", () => {
    expect(print(half, { TERM: "linux" })).toBe("| import  ###----  50 %");
  });

  it("has colours, unless NO_COLOR is set to something", () => {
    const painted = (NO_COLOR?: string) =>
      printLine(cellsOf(half), { name: "n", grid, columns: 60, frame: 0, theme: themeFor({ NO_COLOR }) });
    expect(painted("1")).not.toContain("\u001b");
    expect(painted("")).toBe(painted());
    expect(painted()).toContain("\u001b[36m");
    expect(unpainted(painted())).toBe(painted("1"));
  });

  it("turns its spinner", () => {
    const signs = [0, 1, 10].map((frame) =>
      printLine(cellsOf({ state: "waiting" }), {
        name: "n",
        grid,
        columns: 60,
        frame,
        theme: themeFor({ NO_COLOR: "1" }),
      }),
    );
    expect(signs.map((line) => line[0])).toEqual(["⠋", "⠙", "⠋"]);
  });
});

/** How wide a terminal draws text that takes each character by itself. */
function drawnWidth(text: string): number {
  const wide = /[\u1100-\u115f\u3041-\u3096\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]|\p{Emoji_Presentation}/u;
  const widths = [...text].map((character) => {
    if (/[\p{Mn}\p{Me}]/u.test(character)) return 0;
    return wide.test(character) && !/\p{Regional_Indicator}/u.test(character) ? 2 : 1;
  });
  return widths.reduce<number>((sum, width) => sum + width, 0);
}

// Without scripts whose letters join: those a terminal draws in a width of its own, which is why it must not wrap.
const wide = [
  "日本語",
  "한국어",
  "👩‍👩‍👧",
  "👍🏽",
  "❤️",
  "🇩🇪",
  "e\u0301",
  "ｆｕｌｌ",
  "\u1112\u1161\u11ab",
  "\u202e",
  "\u001b[5m",
  "\n",
];
const text = fc.array(fc.oneof(fc.constantFrom(...wide), fc.string())).map((parts) => parts.join(""));
const state = fc.record({
  state: fc.constantFrom("waiting" as const, "running" as const, "asking" as const),
  progress: fc.double({ noNaN: true, noDefaultInfinity: true }),
  fraction: fc.double({ min: 0, max: 1, noNaN: true }),
  ratePerSecond: fc.double({ min: 1e-9, noNaN: true, noDefaultInfinity: true }),
  etaMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
  message: text,
});

it("never exceeds the columns and holds no control character but its own styles, whatever is said", () => {
  const grids = fc.record({ name: fc.nat(24), rate: fc.nat(10), left: fc.nat(5) });
  fc.assert(
    fc.property(state, text, grids, fc.integer({ min: 1, max: 160 }), (said, name, grid, columns) => {
      const options = { name: plainText(name), grid, columns, frame: 3, theme: themeFor({}) };
      const line = unpainted(printLine(cellsOf(said), options));
      expect(line).not.toMatch(/\p{Cc}/u);
      expect(drawnWidth(line)).toBeLessThanOrEqual(columns);
    }),
    { numRuns: 2_000 },
  );
});
