import { mergeMap, NEVER, type Observable, throwError } from "rxjs";
import { whenAborted } from "../events/index.ts";

/** Errors with the signal's reason once it is aborted, at once when it is already; never without a signal. */
export function aborted(signal: AbortSignal | undefined): Observable<never> {
  if (signal === undefined) return NEVER;
  return whenAborted(signal).pipe(mergeMap(() => throwError(() => signal.reason)));
}
