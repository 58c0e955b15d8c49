/** One sign of a diagram: an event's letter, or `|`. */
export interface Marble {
  /** In milliseconds of virtual time. */
  readonly frame: number;
  readonly sign: string;
}

/** A longer silence is written as its length. */
const maxDashes = 20;

/**
 * Draws marbles as RxJS reads them; `undefined` when that has no picture: a group takes as much time as it
 * has characters.
 */
export function draw(marbles: readonly Marble[]): string | undefined {
  let picture = "";
  let drawn = 0;
  for (const [frame, signs] of byFrame(marbles)) {
    const gap = frame - drawn;
    if (gap < 0) return undefined;
    picture += silence(gap, picture === "");
    const group = signs.length > 1 ? `(${signs.join("")})` : signs.join("");
    picture += group;
    drawn = frame + [...group].length;
  }
  return picture;
}

/** When a source was subscribed to and left, in milliseconds; Infinity is never. */
export interface Span {
  readonly subscribedFrame: number;
  readonly unsubscribedFrame: number;
}

export function drawSpan({ subscribedFrame, unsubscribedFrame }: Span): string {
  const marbles = [
    { frame: subscribedFrame, sign: "^" },
    { frame: unsubscribedFrame, sign: "!" },
  ];
  return draw(marbles.filter(({ frame }) => frame < Infinity)) ?? "";
}

/** The signs of each frame, in order. */
function byFrame(marbles: readonly Marble[]): ReadonlyMap<number, readonly string[]> {
  const frames = new Map<number, string[]>();
  for (const { frame, sign } of marbles) {
    const signs = frames.get(frame);
    if (signs === undefined) frames.set(frame, [sign]);
    else signs.push(sign);
  }
  return frames;
}

function silence(gap: number, first: boolean): string {
  if (Number.isInteger(gap) && gap <= maxDashes) return "-".repeat(gap);
  return `${first ? "" : " "}${gap}ms `;
}
