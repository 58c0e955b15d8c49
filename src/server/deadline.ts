import { asyncScheduler, type SchedulerLike } from "rxjs";
import { unheld } from "../events/index.ts";
import type { Call } from "./call.ts";

/** Runs `expire` after a delay unless the call ends before. The timer never holds the process. */
export function startDeadline(
  call: Call,
  delayMs: number,
  expire: () => void,
  scheduler: SchedulerLike = asyncScheduler,
): void {
  const timer = unheld(scheduler.schedule(expire, delayMs));
  call.over.subscribe(() => timer.unsubscribe());
}
