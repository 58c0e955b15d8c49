import { defer, fromEvent, mergeMap, NEVER, type Observable, throwError } from "rxjs";

/** Errors with the signal's reason once it is aborted, at once when it is already; never without a signal. */
export function aborted(signal: AbortSignal | undefined): Observable<never> {
  if (signal === undefined) return NEVER;
  const fail = () => throwError(() => signal.reason);
  return defer(() => (signal.aborted ? fail() : fromEvent(signal, "abort").pipe(mergeMap(fail))));
}
