import {
  catchError,
  concatMap,
  defaultIfEmpty,
  defer,
  EMPTY,
  from,
  map,
  Observable,
  of,
  takeUntil,
  throwError,
} from "rxjs";
import { attempt, Deadline } from "../errors.ts";
import type { TerminalEvent } from "../events/index.ts";
import { toErrorBody } from "../wire/index.ts";
import type { Asking } from "./asking.ts";
import type { Call } from "./call.ts";
import { startDeadline } from "./deadline.ts";
import { diagnose } from "./fault.ts";
import type { Settings } from "./settings.ts";
import { settled } from "./settled.ts";

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
  ending(call, job)
    .pipe(takeUntil(call.over))
    .subscribe({
      next: (event) => call.end(event),
      error: (error: unknown) => fail(call, job, error),
    });
}

/** Ends the call whatever was thrown: what goes wrong here has nobody left to go to. */
function fail(call: Call, job: Job, error: unknown): void {
  if (call.isOver) return call.late(error);
  const diagnostic = diagnose(error);
  if (diagnostic !== undefined) call.report(diagnostic);
  call.end(endOf(job, error));
}

function endOf(job: Job, error: unknown): TerminalEvent {
  return attempt(() => job.fail(error)) ?? { type: "error", error: toErrorBody(undefined) };
}

/** Each step of its own, so that a call which is over while one waits never reaches the next. */
function ending(call: Call, job: Job): Observable<TerminalEvent> {
  const { asking } = job;
  return defer(() => ready(job)).pipe(
    concatMap((prepared) => outcome(call, job, prepared)),
    concatMap((said) => (asking?.touched === true ? endRound(job, asking, said) : conclude(job, said))),
  );
}

/** Opens what a retry brought before anything else is looked at. */
function ready(job: Job): Observable<unknown> {
  const prepare = () => settled(job.prepare?.(), ignore);
  const opening = job.asking?.open();
  return opening === undefined ? prepare() : from(opening).pipe(concatMap(prepare));
}

/** What a handler said; nothing, when it was not waited for. */
type Outcome =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "failure"; readonly error: unknown }
  | { readonly type: "nothing" };

/** Waits for the handler, but no longer than a grace once it has to unwind. */
function outcome(call: Call, job: Job, prepared: unknown): Observable<Outcome> {
  const { asking } = job;
  const said = defer(() => settled(job.run(prepared), (cause) => call.late(cause))).pipe(
    map((value): Outcome => ({ type: "value", value })),
    catchError((error: unknown) => of<Outcome>({ type: "failure", error })),
  );
  if (asking === undefined) return said;
  return said.pipe(takeUntil(impatience(asking)), defaultIfEmpty<Outcome, Outcome>({ type: "nothing" }));
}

/** Costs nothing until a question is open. */
function impatience(asking: Asking): Observable<unknown> {
  return new Observable((subscriber) =>
    asking.whenUnwinding(() => subscriber.add(asking.grace().subscribe((over) => subscriber.next(over)))),
  );
}

function endRound(job: Job, asking: Asking, said: Outcome): Observable<TerminalEvent> {
  return from(asking.end()).pipe(
    concatMap((instead) => {
      if (instead === undefined) return conclude(job, said);
      if (said.type === "value") asking.overruled();
      return of(instead);
    }),
  );
}

function conclude(job: Job, said: Outcome): Observable<TerminalEvent> {
  switch (said.type) {
    case "value":
      return settled(job.succeed(said.value), ignore) as Observable<TerminalEvent>;
    case "failure":
      return throwError(() => said.error);
    case "nothing":
      return EMPTY;
  }
}

/** Checks are ours: what they come to does not matter once the call is over. */
function ignore(): void {}

function cutAt(call: Call, job: Job, deadline: Deadline): void {
  call.cut(deadline, endOf(job, deadline));
}
