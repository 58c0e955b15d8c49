import { asyncScheduler, type SchedulerLike } from "rxjs";
import { checkDelay } from "../events/index.ts";
import type { Display } from "./display.ts";
import { Drawing } from "./drawing.ts";
import { type LiveStream, Outlet } from "./outlet.ts";
import { Plain } from "./plain.ts";
import { themeFor } from "./theme.ts";

export interface LiveLinesOptions {
  /** Where the lines go. @default process.stderr */
  readonly stream?: LiveStream | undefined;
  /** How often they are drawn in a terminal, in milliseconds. @default 80 */
  readonly intervalMs?: number | undefined;
  /** How often a call says something where there is no terminal, in milliseconds. @default 5_000 */
  readonly plainEveryMs?: number | undefined;
  /** Clock and timers: a `TestScheduler` in tests. @default RxJS's asyncScheduler */
  readonly scheduler?: SchedulerLike | undefined;
}

export interface Settings {
  readonly display: Display;
  readonly scheduler: SchedulerLike;
}

/** Checks the options and decides how the lines are shown. @throws RangeError */
export function settle(options: LiveLinesOptions): Settings {
  const { stream = process.stderr, intervalMs = 80, plainEveryMs = 5_000, scheduler = asyncScheduler } = options;
  checkDelay("intervalMs", intervalMs);
  checkDelay("plainEveryMs", plainEveryMs);
  const outlet = new Outlet(stream);
  const { env } = process;
  const display = isDrawable(stream, env.TERM)
    ? new Drawing({ outlet, intervalMs, scheduler, theme: themeFor(env) })
    : new Plain({ outlet, everyMs: plainEveryMs, scheduler });
  return { display, scheduler };
}

/** A terminal that does not know its size has no place for a picture. */
function isDrawable({ isTTY, columns, rows }: LiveStream, terminal: string | undefined): boolean {
  return isTTY === true && columns !== 0 && rows !== 0 && terminal !== "dumb";
}
