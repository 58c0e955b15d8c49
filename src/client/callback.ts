import { Subject } from "rxjs";
import type { Diagnostics } from "../events/index.ts";
import { ContainedObservable, type SubscriberWatch } from "../progress/index.ts";

export type CallbackErrorHook = (error: unknown) => unknown;

/** Where the failures of a caller's callbacks go: to its hook; without one, or when that fails, to the diagnostics. */
export function watchCallbacks(diagnostics: Diagnostics, hook: CallbackErrorHook | undefined): SubscriberWatch {
  const message = "A progress callback of the in-process client failed; the call goes on";
  const diagnosing: SubscriberWatch = {
    subscriberFailed: (cause) => diagnostics.report({ type: "subscriber-failed", message, cause }),
  };
  if (hook === undefined) return diagnosing;
  const failures = new Subject<unknown>();
  new ContainedObservable(failures, diagnosing).subscribe(hook);
  return { subscriberFailed: (error) => failures.next(error) };
}
