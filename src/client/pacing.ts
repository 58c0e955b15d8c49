import { maxTimerMs } from "../events/index.ts";

/** How long to wait before a call is sent again that the server put off without a question. */
export interface Pacing {
  /** The first pause, in milliseconds; each further one in a row is twice as long. */
  readonly firstMs: number;
  /** What no pause exceeds, in milliseconds. */
  readonly longestMs: number;
}

export const defaultPacing: Pacing = { firstMs: 250, longestMs: 10_000 };

/** Checks a pacing where it is configured. */
export function checkPacing({ firstMs, longestMs }: Pacing): void {
  if (!(firstMs > 0)) throw new RangeError(`Expected \`pacing.firstMs\` to be greater than 0, got ${firstMs}`);
  if (longestMs >= firstMs && longestMs <= maxTimerMs) return;
  throw new RangeError(
    `Expected \`pacing.longestMs\` to be at least \`pacing.firstMs\` and at most ${maxTimerMs}, got ${longestMs}`,
  );
}

/** The pause after `count` others in a row, in milliseconds. */
export function pauseMs({ firstMs, longestMs }: Pacing, count: number): number {
  return Math.min(firstMs * 2 ** count, longestMs);
}
