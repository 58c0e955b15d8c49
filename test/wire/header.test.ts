import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeHeaderValue } from "../../src/wire/index.ts";

const encode = (text: string) => `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;

it.each(["us-west1", "", "a b\tc", "=?base64?", "?=", "=?base64?=", "=?BASE64?SGk=?=", "x=?base64?SGk=?="])(
  "takes %j as it is",
  (value) => {
    expect(decodeHeaderValue(value)).toBe(value);
  },
);

it.each([
  ["=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"],
  ["=?base64?IHBhZGRlZCA=?=", " padded "],
  ["=?base64?bGluZTEKbGluZTI=?=", "line1\nline2"],
  ["=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="],
  ["=?base64??=", ""],
  [encode("\u{feff}x"), "\u{feff}x"],
])("decodes %s", (value, text) => {
  expect(decodeHeaderValue(value)).toBe(text);
});

it.each([
  ["a letter outside ASCII", "café"],
  ["a control character", "a\u0000b"],
  ["a line break", "a\r\nb"],
  ["DEL", "a\u007fb"],
  ["a character that is not Base64", "=?base64?SGk*?="],
  ["the URL alphabet", "=?base64?_-8=?="],
  ["missing padding", "=?base64?SGk?="],
  ["spaces in Base64", "=?base64?SG k=?="],
  ["stray bits at the end", "=?base64?SGl=?="],
  ["bytes that are not UTF-8", "=?base64?/w==?="],
  ["half a surrogate pair", "=?base64?7aC9?="],
])("refuses %s", (_, value) => {
  expect(decodeHeaderValue(value)).toBeUndefined();
  expect(decodeHeaderValue("=?base64?SGk=?=")).toBe("Hi");
});

it("reads back whatever a client encodes", () => {
  const anyText = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(anyText, (text) => {
      expect(decodeHeaderValue(encode(text))).toBe(text);
    }),
  );
});
