import { defer, fromEvent, map, type Observable, of, share, take } from "rxjs";

const shared = new WeakMap<AbortSignal, Observable<void>>();

/**
 * Fires when the signal aborts, at once when it has. However many wait, a signal has one listener: it may be
 * that of a connection, and more than ten look like a leak to Node.
 */
export function whenAborted(signal: AbortSignal): Observable<void> {
  return defer(() => (signal.aborted ? of(undefined) : abortOf(signal)));
}

function abortOf(signal: AbortSignal): Observable<void> {
  const known = shared.get(signal);
  if (known !== undefined) return known;
  const abort = fromEvent(signal, "abort").pipe(
    take(1),
    map(() => undefined),
    share(),
  );
  shared.set(signal, abort);
  return abort;
}
