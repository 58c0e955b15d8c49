import { Subject } from "rxjs";
import type { Diagnostics } from "../events/index.ts";
import { ContainedObservable } from "../progress/index.ts";

export type CallbackErrorHook = (error: unknown) => unknown;

/** Where the failures of a caller's callbacks go: to its hook; without one, or when that fails, to the diagnostics. */
export function failureReporter(
  diagnostics: Diagnostics,
  hook: CallbackErrorHook | undefined,
): (error: unknown) => void {
  const diagnose = (cause: unknown): void =>
    diagnostics.report({
      type: "subscriber-failed",
      message: "A progress callback of the in-process client failed; the call goes on",
      cause,
    });
  if (hook === undefined) return diagnose;
  const failures = new Subject<unknown>();
  new ContainedObservable(failures, diagnose).subscribe(hook);
  return (error) => failures.next(error);
}
