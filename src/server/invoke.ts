import { concatMap, defer, type Observable, takeUntil } from "rxjs";
import { Deadline } from "../errors.ts";
import type { TerminalEvent } from "../events/index.ts";
import type { Call } from "./call.ts";
import { startDeadline } from "./deadline.ts";
import { diagnose } from "./fault.ts";
import type { Settings } from "./settings.ts";
import { settled } from "./settled.ts";

/** What differs between the kinds of handlers. Each step may take its time; none has to. */
export interface Job {
  /** @default the server's */
  readonly timeoutMs?: number | undefined;
  /** What the handler is called with. @default nothing */
  prepare?(): unknown;
  /** Calls the handler; what it throws or rejects with is its failure. */
  run(prepared: unknown): unknown;
  /** Turns what the handler yielded into the end of its call. */
  succeed(value: unknown): TerminalEvent | Promise<TerminalEvent>;
  /** Turns a failure into the end of its call. */
  fail(error: unknown): TerminalEvent;
}

/**
 * Runs a job to the one end of its call. Nothing asynchronous lies between this and a handler, nor between
 * what it yields at once and the end.
 */
export function invoke(call: Call, job: Job, { timeoutMs, scheduler }: Settings): void {
  const delayMs = job.timeoutMs ?? timeoutMs;
  if (delayMs !== undefined) {
    startDeadline(call, delayMs, () => cutAt(call, job, new Deadline(delayMs)), scheduler);
  }
  ending(call, job)
    .pipe(takeUntil(call.over))
    .subscribe({
      next: (event) => call.end(event),
      error: (error: unknown) => {
        if (call.isOver) return call.late(error);
        const diagnostic = diagnose(error);
        if (diagnostic !== undefined) call.report(diagnostic);
        call.end(job.fail(error));
      },
    });
}

/** Each step of its own, so that a call which is over while one waits never reaches the next. */
function ending(call: Call, job: Job): Observable<TerminalEvent> {
  const late = (cause?: unknown): void => call.late(cause);
  return defer(() => settled(job.prepare?.(), ignore)).pipe(
    concatMap((prepared) => settled(job.run(prepared), late)),
    concatMap((value) => settled(job.succeed(value), ignore) as Observable<TerminalEvent>),
  );
}

/** Checks are ours: what they come to does not matter once the call is over. */
function ignore(): void {}

function cutAt(call: Call, job: Job, deadline: Deadline): void {
  call.cut(deadline, job.fail(deadline));
}
