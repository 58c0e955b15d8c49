import { type Subscription, takeUntil } from "rxjs";
import { attempt, Deadline } from "../errors.ts";
import type { TerminalEvent } from "../events/index.ts";
import { toErrorBody } from "../wire/index.ts";
import type { Asking, Unwinder } from "./asking.ts";
import type { Call } from "./call.ts";
import { startDeadline } from "./deadline.ts";
import { diagnose } from "./fault.ts";
import type { Settings } from "./settings.ts";
import { settle, type Waiter } from "./settled.ts";

/** What differs between the kinds of handlers. Each step may take its time; none has to. */
export interface Job {
  /** @default the server's */
  readonly timeoutMs?: number | undefined;
  /** How the handler asks. @default it does not */
  readonly asking?: Asking | undefined;
  /** What the handler is called with. @default nothing */
  prepare?(): unknown;
  /** Calls the handler; what it throws or rejects with is its failure. */
  run(prepared: unknown): unknown;
  /** Turns what the handler yielded into the end of its call. */
  succeed(value: unknown): TerminalEvent | Promise<TerminalEvent>;
  /** Turns a failure into the end of its call. */
  fail(error: unknown): TerminalEvent;
}

/**
 * Runs a job to the one end of its call. Nothing asynchronous lies between this and a handler, nor between
 * what it yields at once and the end.
 */
export function invoke(call: Call, job: Job, { timeoutMs, scheduler }: Settings): void {
  const delayMs = job.timeoutMs ?? timeoutMs;
  if (delayMs !== undefined) {
    const expire = () => cutAt(call, job, new Deadline(delayMs));
    startDeadline(call, delayMs, expire, { paused: job.asking?.waiting, scheduler });
  }
  new Run(call, job).open();
}

/** What a handler said; nothing, when it was not waited for. */
type Said =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "failure"; readonly error: unknown }
  | { readonly type: "nothing" };

/**
 * A job under way, which waits for what its handler yields. Each step goes on to the next, so that a call which
 * is over while one waits never reaches it. An idle call costs this and the promise that it waits for.
 */
class Run implements Waiter, Unwinder {
  readonly #call: Call;
  readonly #job: Job;
  #hasSaid = false;
  #listening: Subscription | undefined;
  #grace: Subscription | undefined;

  constructor(call: Call, job: Job) {
    this.#call = call;
    this.#job = job;
  }

  /** Opens what a retry brought before anything else is looked at. */
  open(): void {
    this.#step(
      () => this.#job.asking?.open(),
      () => this.#prepare(),
    );
  }

  #prepare(): void {
    this.#step(
      () => this.#job.prepare?.(),
      (prepared) => this.#handle(prepared),
    );
  }

  /** Waits for the handler, but no longer than a grace once it has to unwind. */
  #handle(prepared: unknown): void {
    const { asking } = this.#job;
    asking?.whenUnwinding(this);
    let yielded: unknown;
    try {
      yielded = this.#job.run(prepared);
    } catch (error) {
      return this.error(error);
    }
    const listening = settle(yielded, this.#call, this);
    if (this.#hasSaid) listening?.unsubscribe();
    else this.#listening = listening;
  }

  next(value: unknown): void {
    this.#hear({ type: "value", value });
  }

  error(error: unknown): void {
    this.#hear({ type: "failure", error });
  }

  late(cause?: unknown): void {
    this.#call.late(cause);
  }

  unwind(): void {
    if (this.#hasSaid || this.#call.isOver) return;
    this.#grace ??= this.#job.asking
      ?.grace()
      .pipe(takeUntil(this.#call.over))
      .subscribe(() => this.#hear({ type: "nothing" }));
  }

  #hear(said: Said): void {
    if (this.#hasSaid || this.#call.isOver) return;
    this.#hasSaid = true;
    this.#listening?.unsubscribe();
    this.#grace?.unsubscribe();
    const { asking } = this.#job;
    if (asking?.touched === true) this.#endRound(asking, said);
    else this.#conclude(said);
  }

  #endRound(asking: Asking, said: Said): void {
    this.#step(
      () => asking.end(),
      (instead) => {
        if (instead === undefined) return this.#conclude(said);
        if (said.type === "value") asking.overruled();
        this.#call.end(instead);
      },
    );
  }

  #conclude(said: Said): void {
    switch (said.type) {
      case "value":
        return this.#step(
          () => this.#job.succeed(said.value),
          (event) => this.#call.end(event),
        );
      case "failure":
        return this.#fail(said.error);
      case "nothing":
        return undefined;
    }
  }

  /** Checks are ours: what they come to does not matter once the call is over. */
  #step<T>(start: () => T | Promise<T>, then: (value: T) => void): void {
    if (this.#call.isOver) return;
    let yielded: T | Promise<T>;
    try {
      yielded = start();
    } catch (error) {
      return this.#fail(error);
    }
    settle(yielded, this.#call, {
      next: (value) => then(value as T),
      error: (error) => this.#fail(error),
      late: ignore,
    });
  }

  /** Ends the call whatever was thrown: what goes wrong here has nobody left to go to. */
  #fail(error: unknown): void {
    if (this.#call.isOver) return this.#call.late(error);
    const diagnostic = diagnose(error);
    if (diagnostic !== undefined) this.#call.report(diagnostic);
    this.#call.end(endOf(this.#job, error));
  }
}

function endOf(job: Job, error: unknown): TerminalEvent {
  return attempt(() => job.fail(error)) ?? { type: "error", error: toErrorBody(undefined) };
}

function ignore(): void {}

function cutAt(call: Call, job: Job, deadline: Deadline): void {
  call.cut(deadline, endOf(job, deadline));
}
