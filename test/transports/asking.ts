import { Observable, ReplaySubject, type Subscriber } from "rxjs";
import type { ElicitationEvent, ErrorEvent, IncomingRequest, RequestEvent } from "../../src/events/index.ts";
import { type Stub, servable } from "./servable.ts";

/** A request that is run by hand. */
interface Run {
  readonly request: IncomingRequest;
  emit(...events: readonly RequestEvent[]): void;
  /** Asks; returns what it was answered, in order. */
  ask(params?: object): unknown[];
  finish(): void;
}

export interface Asker extends Stub {
  /** Every request but the handshakes. */
  readonly runs: ReplaySubject<Run>;
  /** Why requests were left, in order. */
  readonly left: ReplaySubject<unknown>;
}

/** A hand-made server: handshakes succeed unless told otherwise, everything else is run by hand. */
export function asker(refusal?: ErrorEvent["error"]): Asker {
  const runs = new ReplaySubject<Run>();
  const left = new ReplaySubject<unknown>();
  const stub = servable((request, { protocolVersion }) => {
    return new Observable((subscriber) => {
      if (request.method === "initialize" && refusal !== undefined) return refuse(subscriber, refusal);
      if (request.method === "initialize") return finish(subscriber, { protocolVersion });
      const run = runOf(request, subscriber);
      runs.next(run);
      return () => {
        if (request.whyLeft?.() !== undefined) left.next(request.whyLeft());
      };
    });
  });
  return { ...stub, runs, left };
}

function runOf(request: IncomingRequest, subscriber: Subscriber<RequestEvent>): Run {
  return {
    request,
    emit: (...events) => events.forEach((event) => void subscriber.next(event)),
    ask(params) {
      const answers: unknown[] = [];
      const asked: ElicitationEvent = {
        type: "elicitation",
        key: "k",
        request: { method: "elicitation/create", ...(params !== undefined && { params }) },
        answer: (response) => answers.push(response),
      };
      subscriber.next(asked);
      return answers;
    },
    finish: () => finish(subscriber, { ok: true }),
  };
}

function finish(subscriber: Subscriber<RequestEvent>, result: object): void {
  subscriber.next({ type: "result", result: { ...result } });
  subscriber.complete();
}

function refuse(subscriber: Subscriber<RequestEvent>, error: ErrorEvent["error"]): void {
  subscriber.next({ type: "error", error });
  subscriber.complete();
}
