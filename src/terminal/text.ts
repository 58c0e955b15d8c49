import { shorten } from "../errors.ts";

/** What is read of another program's text. */
const maxLength = 2_048;

const esc = "\u001b";
const inString = `[^${esc}\u0007\u0080-\u009f]*`;
/** What speaks to a terminal: CSI, strings such as OSC, and the other escape sequences. */
const sequence = new RegExp(
  [
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])${inString}(?:\u0007|${esc}\\\\|\u009c)`,
    `${esc}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);

/**
 * Another program's text as one line that gets no say over the terminal. What is invisible goes: escape
 * sequences, marks that turn the direction of writing. So does what terminals disagree on the width of:
 * joiners, variation selectors, skin tones. Controls and line ends become spaces.
 */
export function plainText(text: string): string {
  return shorten(text, maxLength)
    .replace(sequence, "")
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Emoji_Modifier}]/gu, "")
    .normalize("NFC")
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .trim();
}
