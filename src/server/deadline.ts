import { asyncScheduler, NEVER, type Observable, type SchedulerLike, type Subscription, takeUntil } from "rxjs";
import { unheld } from "../events/index.ts";
import type { Call } from "./call.ts";

export interface DeadlineOptions {
  /** While its last value is true, time does not count. */
  readonly paused?: Observable<boolean> | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

/** Runs `expire` after a delay unless the call ends before. The timer never holds the process. */
export function startDeadline(
  call: Call,
  delayMs: number,
  expire: () => void,
  { paused = NEVER, scheduler = asyncScheduler }: DeadlineOptions,
): void {
  let leftMs = delayMs;
  let startedAt = 0;
  let timer: Subscription | undefined;
  const stop = (): void => timer?.unsubscribe();
  const run = (): void => {
    startedAt = scheduler.now();
    timer = unheld(scheduler.schedule(expire, leftMs));
  };
  const pause = (): void => {
    stop();
    leftMs = Math.max(0, leftMs - (scheduler.now() - startedAt));
  };
  run();
  call.over.subscribe(stop);
  paused.pipe(takeUntil(call.over)).subscribe((isPaused) => (isPaused ? pause() : run()));
}
