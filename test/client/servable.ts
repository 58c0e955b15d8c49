import { from, Observable, Subject } from "rxjs";
import {
  Diagnostics,
  type Exchange,
  type IncomingRequest,
  type RequestEvent,
  type Servable,
} from "../../src/events/index.ts";

interface Seen {
  readonly request: IncomingRequest;
  readonly exchange: Exchange;
  /** What the handler emits into. */
  readonly events: Subject<RequestEvent>;
  /** Why the subscriber left before the end. */
  left?: Error | undefined;
}

/** A server that leaves every request open until the test answers it, and remembers them all. */
export function openServer() {
  const seen: Seen[] = [];
  const server: Servable = {
    diagnostics: new Diagnostics(),
    dispatch: (request, exchange) =>
      new Observable((subscriber) => {
        const entry: Seen = { request, exchange, events: new Subject() };
        seen.push(entry);
        subscriber.add(entry.events.subscribe(subscriber));
        return () => {
          entry.left = request.whyLeft?.();
        };
      }),
  };
  return { ...server, seen };
}

/** A server that answers every request with these events. */
export function serverOf(...events: readonly RequestEvent[]): Servable {
  return { dispatch: () => from(events), diagnostics: new Diagnostics() };
}

export const progress = (value: number): RequestEvent => ({ type: "progress", progress: value });
export const done: RequestEvent = { type: "result", result: { content: [] } };
