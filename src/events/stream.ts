import { Observable, type SchedulerLike, Subject } from "rxjs";
import { ContainedObservable } from "../progress/index.ts";
import { type Cadence, cadence } from "./cadence.ts";
import type { RequestEvent } from "./event.ts";
import { Line, type LineOptions } from "./line.ts";
import { inOrder } from "./order.ts";
import { untilTerminal } from "./terminal.ts";

export interface StreamOptions extends LineOptions {
  readonly cadence: Cadence;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * A request's observable. Each subscription starts a run of its own over a new line; `run` returns what
 * to do when the subscriber leaves before the terminal event.
 */
export function requestStream(options: StreamOptions, run: (line: Line) => () => void): Observable<RequestEvent> {
  const report = (cause: unknown): void =>
    options.report({
      type: "subscriber-failed",
      message: "A subscriber of a request threw; the request goes on",
      cause,
    });
  const stream = new Observable<RequestEvent>((subscriber) => {
    const events = new Subject<RequestEvent>();
    const line = new Line(events, options);
    events.pipe(cadence(options.cadence, options.scheduler), inOrder(), untilTerminal()).subscribe(subscriber);
    let leave: (() => void) | undefined;
    let left = false;
    const abandon = (): void => {
      if (line.ended) return;
      line.close();
      left = true;
      leave?.();
    };
    subscriber.add(abandon);
    leave = run(line);
    // The subscriber may have left while the handler was still being started.
    if (left) leave();
  });
  return new ContainedObservable(stream, report);
}
