import { type Observable, Subject } from "rxjs";
import { attempt, Cancelled, isInstance } from "../errors.ts";
import type { Diagnostic, Exchange, IncomingRequest, Line, LineOptions, TerminalEvent } from "../events/index.ts";
import { LazySignal } from "./signal.ts";

export interface CallOptions {
  readonly request: IncomingRequest;
  readonly exchange: Exchange;
  readonly line: Line;
  readonly reporter: Pick<LineOptions, "report">;
  /** Told first, once, when the call has ended in whatever way. */
  readonly onOver: (call: Call) => void;
}

/** One run of one request, from its subscription to its end. */
export class Call {
  readonly request: IncomingRequest;
  readonly exchange: Exchange;
  readonly line: Line;
  readonly #reporter: CallOptions["reporter"];
  readonly #onOver: (call: Call) => void;
  #abort: LazySignal | undefined;
  #over: Subject<void> | undefined;
  #isOver = false;
  #cutShort = false;

  constructor({ request, exchange, line, reporter, onOver }: CallOptions) {
    this.request = request;
    this.exchange = exchange;
    this.line = line;
    this.#reporter = reporter;
    this.#onOver = onOver;
  }

  /** Made when somebody looks, as most that calls have. */
  get abort(): LazySignal {
    this.#abort ??= new LazySignal();
    return this.#abort;
  }

  report(diagnostic: Diagnostic): void {
    this.#reporter.report(diagnostic);
  }

  /** Fires once, when the call has ended in whatever way: all that it holds goes then. */
  get over(): Observable<void> {
    this.#over ??= new Subject();
    return this.#over;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends with a terminal event; only the first end counts. */
  end(event: TerminalEvent): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.line.end(event);
    this.#finish();
  }

  /** Ends at once, whatever its handler does: its signal aborts and what comes later is dropped. */
  cut(reason: Error, event: TerminalEvent): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cutShort = true;
    this.line.end(event);
    this.#abandon(reason);
  }

  /** The subscriber is gone: nobody is left to be told an end. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#abandon(this.request.whyLeft?.() ?? new Cancelled());
  }

  /** Aborts first, so that what is torn down can see why. */
  #abandon(reason: Error): void {
    this.abort.abort(reason);
    this.#finish();
  }

  #finish(): void {
    this.#onOver(this);
    this.#over?.next();
  }

  /** Told of what a handler yielded after the end. A client that left misses nothing. */
  late(cause?: unknown): void {
    if (!this.#cutShort || isAbortion(cause, this.abort.reason)) return;
    this.report({
      type: "late-result",
      message: "A handler settled after its request had been ended; what it yielded was dropped",
      cause,
    });
  }
}

/** Failing with the signal's reason, or as the platform's functions do when it aborts, is how to stop. */
function isAbortion(cause: unknown, reason: Error | undefined): boolean {
  if (cause === undefined) return false;
  return cause === reason || (isInstance(cause, Error) && attempt(() => cause.name) === "AbortError");
}
