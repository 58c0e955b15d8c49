import { draw, type Marble } from "./diagram.ts";

/** A marble, and one line that says what it is. */
export interface Described extends Marble {
  readonly text: string;
}

/**
 * What differs between two series, as a picture of each and a list of both; `undefined` when nothing does.
 * `picture` is the diagram as it was written.
 */
export function difference<M extends Described>(
  picture: string,
  expected: readonly Described[],
  emitted: readonly M[],
  same: (expected: Described, emitted: M) => boolean,
): string | undefined {
  const frames = [...new Set([...expected, ...emitted].map(({ frame }) => frame))].sort((a, b) => a - b);
  const lines = frames.flatMap((frame) => comparison(at(expected, frame), at(emitted, frame), same));
  if (lines.every((line) => line.startsWith("  "))) return undefined;
  return [
    `  expected  ${picture || nothing}`,
    `  emitted   ${(draw(emitted) ?? "(has no picture)") || nothing}`,
    "",
    ...lines,
  ].join("\n");
}

function at<M extends Marble>(marbles: readonly M[], frame: number): readonly M[] {
  return marbles.filter((marble) => marble.frame === frame);
}

/** The marbles of one frame, in pairs: what is missing after `-`, what is too much after `+`. */
function comparison<M extends Described>(
  expected: readonly Described[],
  emitted: readonly M[],
  same: (expected: Described, emitted: M) => boolean,
): readonly string[] {
  return Array.from({ length: Math.max(expected.length, emitted.length) }, (_, index) => {
    const [wanted, got] = [expected[index], emitted[index]];
    if (wanted !== undefined && got !== undefined && same(wanted, got)) return [line(" ", got)];
    return [...(wanted === undefined ? [] : [line("-", wanted)]), ...(got === undefined ? [] : [line("+", got)])];
  }).flat();
}

function line(mark: string, { frame, sign, text }: Described): string {
  return `${mark} ${String(frame).padStart(5)} ms  ${sign}  ${text}`.trimEnd();
}

const nothing = "(nothing)";
