import { Observable, type SchedulerLike, Subject } from "rxjs";
import { ContainedObservable } from "../progress/index.ts";
import { type Cadence, cadence } from "./cadence.ts";
import type { RequestEvent } from "./event.ts";
import { Line, type LineOptions } from "./line.ts";
import { untilTerminal } from "./terminal.ts";

export interface StreamOptions extends LineOptions {
  readonly cadence: Cadence;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Starts a run over its line. It says what to do when the subscriber leaves before the terminal event, before
 * anything else: the subscriber may leave while the handler is still being started.
 */
export type Run = (line: Line, whenLeft: (leave: () => void) => void) => void;

/** A request's observable. Each subscription starts a run of its own over a new line. */
export function requestStream(options: StreamOptions, run: Run): Observable<RequestEvent> {
  const report = (cause: unknown): void =>
    options.report({
      type: "subscriber-failed",
      message: "A subscriber of a request threw; the request goes on",
      cause,
    });
  const stream = new Observable<RequestEvent>((subscriber) => {
    const events = new Subject<RequestEvent>();
    const line = new Line(events, options);
    events.pipe(cadence(options.cadence, options.scheduler), untilTerminal()).subscribe(subscriber);
    let leave: (() => void) | undefined;
    subscriber.add(() => {
      if (line.close()) leave?.();
    });
    run(line, (then) => {
      leave = then;
    });
  });
  return new ContainedObservable(stream, report);
}
