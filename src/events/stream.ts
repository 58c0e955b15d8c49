import { Observable, type Observer, type SchedulerLike } from "rxjs";
import { ContainedObservable, type SubscriberWatch } from "../progress/index.ts";
import { type Cadence, Meter } from "./cadence.ts";
import { isTerminal, type RequestEvent } from "./event.ts";
import { Line, type LineOptions } from "./line.ts";
import { Queue } from "./order.ts";

export interface StreamOptions extends LineOptions {
  readonly cadence: Cadence;
  readonly scheduler?: SchedulerLike | undefined;
}

/** Starts a run over its line; the subscriber may leave while it is still being started. */
export type Run = (line: Line) => void;

/** A request's observable. Each subscription starts a run of its own over a new line. */
export function requestStream(options: StreamOptions, run: Run): Observable<RequestEvent> {
  const stream = new Observable<RequestEvent>((subscriber) => {
    const line = lineTo(subscriber, options);
    subscriber.add(line);
    run(line);
  });
  return new ContainedObservable(stream, new Watch(options));
}

/** As long as a subscriber is there it holds this, which must not hold all that it took to start a run. */
class Watch implements SubscriberWatch {
  readonly #options: StreamOptions;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  subscriberFailed(cause: unknown): void {
    const message = "A subscriber of a request threw; the request goes on";
    this.#options.report({ type: "subscriber-failed", message, cause });
  }
}

/**
 * A line with the way through cadence and order to the end. Each subscriber has one of its own, so this is made of
 * what the operators do for one: a Subject and a subscription per step would cost a request more than all the rest.
 */
function lineTo(subscriber: Observer<RequestEvent>, options: StreamOptions): Line {
  const { cadence, scheduler } = options;
  const untilTerminal = new Queue(subscriber, isTerminal);
  if (cadence === "every") return new Line(untilTerminal, options);
  const meter = new Meter(untilTerminal, cadence, scheduler);
  return new Line(meter.entry, options, meter);
}
