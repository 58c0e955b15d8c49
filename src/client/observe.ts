import { Observable } from "rxjs";
import { Cancelled } from "../errors.ts";
import type { ProgressEvent } from "../events/index.ts";
import { createUpdate, type ProgressUpdate } from "../progress/index.ts";
import { increasing } from "./increasing.ts";

/** What the official client calls `onprogress` with: parts that are absent may be there as `undefined`. */
export interface OfficialProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** What a call of the official client takes among its options. */
export interface ObservedOptions {
  readonly onprogress: (progress: OfficialProgress) => void;
  readonly signal: AbortSignal;
}

/** What `observeProgress` emits: any number of updates, then exactly one result. */
export type ObservedEvent<R> = ProgressEvent | { readonly type: "result"; readonly result: R };

/**
 * A call of the official client as a cold observable: each subscription makes the call once more,
 * unsubscribing aborts it. The values increase, and the update that this client makes up for each round of
 * questions is left out. What rejects the call errors the observable.
 *
 * ```ts
 * observeProgress((options) => client.callTool({ name: "import", arguments: {} }, { ...options, timeout: 60_000 }))
 * ```
 * For version 1 of the SDK the options come third: `client.callTool(params, undefined, options)`.
 */
export function observeProgress<R>(call: (options: ObservedOptions) => PromiseLike<R>): Observable<ObservedEvent<R>> {
  const events = new Observable<ObservedEvent<R>>((subscriber) => {
    const controller = new AbortController();
    let isSettled = false;
    // The client would send a cancellation, for a call that is over as well.
    subscriber.add(() => {
      if (!isSettled) controller.abort(new Cancelled());
    });
    const isMadeUp = roundsOf();
    const onprogress = ({ progress, total, message }: OfficialProgress): void => {
      const update = createUpdate(progress, total, message);
      if (!isMadeUp(update)) subscriber.next({ type: "progress", ...update });
    };
    call({ onprogress, signal: controller.signal }).then(
      (result) => {
        isSettled = true;
        subscriber.next({ type: "result", result });
        subscriber.complete();
      },
      (error: unknown) => {
        isSettled = true;
        subscriber.error(error);
      },
    );
  });
  return events.pipe(increasing());
}

const madeUp = /^Fulfilling input required by '(?:tools\/call|prompts\/get|resources\/read)' \(round (\d+)\)$/;

/**
 * Tells an update that the client made up: it counts the rounds of one call from 1, in these words. One of a
 * server that says the same has another number, as a rule.
 */
function roundsOf(): (update: ProgressUpdate) => boolean {
  let next = 1;
  return ({ progress, total, message = "" }) => {
    if (progress !== next || total !== undefined || madeUp.exec(message)?.[1] !== String(next)) return false;
    next += 1;
    return true;
  };
}
