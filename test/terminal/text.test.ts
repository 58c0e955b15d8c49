import fc from "fast-check";
import { expect, it } from "vitest";
import { plainText } from "../../src/terminal/text.ts";

it.each([
  ["what is plain", "read 12 of 40 files", "read 12 of 40 files"],
  ["other scripts", "読む שלום é", "読む שלום é"],
  ["line ends, as spaces", "one\r\ntwo\u2028three\u0085four", "one two three four"],
  ["tabs, as spaces", "a\tb", "a b"],
])("keeps %s", (_, text, expected) => {
  expect(plainText(text)).toBe(expected);
});

it.each([
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["movements", "\u001b[2A\u001b[2Kforged", "forged"],
  ["eight-bit sequences", "\u009b31mred", "red"],
  ["titles and links", "\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b", "ab"],
  ["other strings", "\u001bPq#0\u001b\\a\u001b_x\u001b\\b", "ab"],
  ["sequences that do not end", "a\u001b]0;title", "a0;title"],
  ["lone controls", "a\u0008\u0007\u001b", "a"],
  ["marks of direction", "\u202eabc\u202c \u2066x\u2069\u200f", "abc x"],
  ["invisible characters", "a\u200b\u00ad\ufeff\u3164\u{e0041}b", "ab"],
  ["joiners, selectors and skin tones", "👩\u200d👧 ❤\ufe0f 👍\u{1f3fd}", "👩👧 ❤ 👍"],
  ["towers of marks", `a${"\u0334".repeat(50)}b`, `a${"\u0334".repeat(3)}b`],
])("takes out %s", (_, text, expected) => {
  expect(plainText(text)).toBe(expected);
});

it("replaces half of a character", () => {
  expect(plainText("a\ud83d b")).toBe("a\ufffd b");
});

it("reads no more than so much", () => {
  expect(plainText("x".repeat(1e6))).toHaveLength(2_049);
});

it("leaves nothing that a terminal obeys, whatever it is given", () => {
  const pieces = fc.constantFrom(
    "\u001b",
    "[",
    "]",
    "\u009b",
    "\u0090",
    "\u009d",
    "31m",
    "\u0007",
    "\\",
    "\n",
    "\u202e",
  );
  const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: "binary" }))).map((parts) => parts.join(""));
  fc.assert(
    fc.property(hostile, (text) => {
      expect(plainText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 1_000 },
  );
});
