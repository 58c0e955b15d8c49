import { asapScheduler, defer, from, Observable, type SchedulerAction, type SchedulerLike, Subject } from "rxjs";
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

/** A server that answers its first request with the first of these, and so on; the last answers all others. */
export function scriptedServer(...rounds: readonly (readonly RequestEvent[])[]) {
  const seen: IncomingRequest[] = [];
  const server: Servable = {
    diagnostics: new Diagnostics(),
    dispatch: (request) =>
      defer(() => {
        seen.push(request);
        return from(rounds[Math.min(seen.length, rounds.length) - 1] ?? []);
      }),
  };
  return { ...server, seen };
}

/** The end of a round, with whatever it asks and carries. */
export function inputRequired(more: { inputRequests?: object; requestState?: string }): RequestEvent {
  return { type: "result", result: { resultType: "input_required", ...more } };
}

export const form = (message: string) => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: { type: "object", properties: {} } },
});

/** Time in which every pause is over at once; remembers how long each would have been. */
export function impatient(): SchedulerLike & { readonly pauses: number[] } {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => 0,
    schedule<T>(work: (this: SchedulerAction<T>, state: T) => void, delay?: number, state?: T) {
      if (delay !== undefined) pauses.push(delay);
      return asapScheduler.schedule(work as (this: SchedulerAction<T>, state?: T) => void, 0, state);
    },
  };
}
