import type { ProgressState } from "../client/index.ts";
import { printCount, printPercent, printRate, printTime } from "./figures.ts";
import { plainText } from "./text.ts";

/** What a line says of a call, in pieces. What there is nothing to say of is empty. */
export interface Cells {
  readonly state: ProgressState["state"];
  readonly fraction: number | undefined;
  /** Percents with a total, else a count. */
  readonly amount: string;
  readonly rate: string;
  readonly left: string;
  readonly message: string;
}

/** Puts a call's state into words. */
export function cellsOf({ state, progress, total, fraction, message, ratePerSecond, etaMs }: ProgressState): Cells {
  const isRunning = state === "running";
  // Of a whole that is 1, a share per second tells nobody anything.
  const hasUnit = total === undefined || total > 1;
  return {
    state,
    fraction,
    amount: fraction !== undefined ? printPercent(fraction) : progress === undefined ? "" : printCount(progress),
    rate: isRunning && hasUnit && ratePerSecond !== undefined ? printRate(ratePerSecond) : "",
    left: isRunning && etaMs !== undefined && etaMs > 0 ? printTime(etaMs) : "",
    // A client that checks nothing passes on whatever a server sent.
    message: typeof message === "string" ? plainText(message) : "",
  };
}
