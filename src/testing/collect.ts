import { AsyncSubject, isObservable, lastValueFrom, type Observable } from "rxjs";
import type { OfficialProgress, ToolEvent } from "../client/index.ts";
import { describeGiven } from "../errors.ts";
import type { RequestEvent } from "../events/index.ts";
import { createUpdate, type ProgressUpdate } from "../progress/index.ts";

/** The progress of one call. */
export interface CollectedProgress {
  /** Every update so far, in order, with nothing but what it says. Grows as updates arrive. */
  readonly all: readonly ProgressUpdate[];
  /**
   * Resolves with `all` once the progress is complete.
   * Of an observable, when it completes; rejects when it errors. Of a callback, when an update reaches its
   * total; where the total is unknown, wait for the call itself.
   */
  waitForComplete(): Promise<readonly ProgressUpdate[]>;
}

/** Collects through a callback. Make one for each call: the values of one call increase. */
export interface ProgressCollector extends CollectedProgress {
  /**
   * Takes one update. Needs no `this`; fits `onProgress` here and `onprogress` of the official client, which
   * loses updates that arrive in one chunk with the result.
   */
  readonly onProgress: (update: OfficialProgress) => void;
}

/**
 * Collects the progress of a call, in either of two ways:
 *
 * ```ts
 * const progress = collectProgress();
 * await client.callTool("import", {}, { onProgress: progress.onProgress });
 * expect(progress.all).toEqual([{ progress: 1, total: 2 }, { progress: 2, total: 2 }]);
 * ```
 * ```ts
 * const progress = collectProgress(client.streamTool("import"));
 * expect(await progress.waitForComplete()).toEqual([…]);
 * ```
 * An observable is subscribed to at once, which starts the call. It may be one of `streamTool`, of
 * `dispatch`, or an emitter's `updates`, which never completes.
 */
export function collectProgress(): ProgressCollector;
export function collectProgress(source: Observable<ProgressUpdate | RequestEvent | ToolEvent>): CollectedProgress;
export function collectProgress(source?: Observable<ProgressUpdate | RequestEvent | ToolEvent>): CollectedProgress {
  return source === undefined ? fromCallback() : fromObservable(source);
}

function fromCallback(): ProgressCollector {
  const all: ProgressUpdate[] = [];
  const end = new AsyncSubject<never>();
  return {
    all,
    onProgress: (given) => {
      const update = tighten(given);
      all.push(update);
      if (update.total !== undefined && update.progress >= update.total) end.complete();
    },
    waitForComplete: () => lastValueFrom(end, { defaultValue: all }),
  };
}

function fromObservable(source: Observable<ProgressUpdate | RequestEvent | ToolEvent>): CollectedProgress {
  if (!isObservable(source)) {
    throw new TypeError(`Expected an Observable, such as \`client.streamTool(…)\`, got ${describeGiven(source)}`);
  }
  const all: ProgressUpdate[] = [];
  // Keeps the end for whoever waits later; an error that nobody waits for is no unhandled one.
  const end = new AsyncSubject<never>();
  source.subscribe({
    next: (item) => {
      if (!("type" in item) || item.type === "progress") all.push(tighten(item));
    },
    error: (error) => end.error(error),
    complete: () => end.complete(),
  });
  return { all, waitForComplete: () => lastValueFrom(end, { defaultValue: all }) };
}

/** Absent parts may be there as `undefined`. */
function tighten({ progress, total, message }: OfficialProgress): ProgressUpdate {
  return createUpdate(progress, total, message);
}
