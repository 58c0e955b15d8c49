import type { RunHelpers, TestScheduler } from "rxjs/testing";
import { isThenable } from "../progress/index.ts";
import { horizonMs, MarbleCall } from "./call.ts";
import { Clock } from "./clock.ts";
import { type CallExpectation, Expectations } from "./expectation.ts";
import { matches, print } from "./legend.ts";
import type { TestRequest } from "./request.ts";
import type { MarbleClient } from "./scene.ts";
import { callerOf, type Failure } from "./site.ts";
import { type Source, SubscriptionExpectations } from "./subscriptions.ts";
import type { Target } from "./target.ts";

/**
 * A diagram that does not show what happened. Its message has both, as pictures and as lists; its stack begins
 * where the first of them was expected.
 */
export class DiagramError extends Error {
  override readonly name = "DiagramError";
  readonly code = "ERR_DIAGRAM";
}

/** What a marble test is made with. */
export interface Marbles extends Pick<RunHelpers, "cold" | "hot" | "time"> {
  /** Sends a request when virtual time begins, or when its client subscribes; to be followed by what to expect. */
  expectCall(target: Target, request: TestRequest, client?: MarbleClient): CallExpectation;
  /** Compares when a source was subscribed to and left: `expectSubscriptions(source).toBe("^--!")`. */
  expectSubscriptions(source: Source): { toBe(diagrams: string | readonly string[]): void };
  /**
   * The clock. RxJS's own clock is the same within this test, so that a server needs it as its `scheduler` only
   * where it would be given another.
   */
  readonly scheduler: TestScheduler;
}

/**
 * Runs a test in virtual time, where one sign of a diagram is one millisecond:
 *
 * ```ts
 * marbles(({ cold, expectCall }) => {
 *   const tool = defineTool({
 *     name: "import",
 *     description: "Imports rows",
 *     handler: (_args, ctx) => cold("-a-b-(c|)").pipe(reportTo(ctx.countingProgress(3))),
 *   });
 *   expectCall(tool, toolCall("import")).toEmit("-1-2-(3r|)");
 * });
 * ```
 * For handlers that return an Observable: no promise is waited for. A diagram that passes because of that fails.
 * @throws DiagramError
 */
export function marbles(test: (kit: Marbles) => void): void {
  const sources: Source[] = [];
  const spans: SubscriptionExpectations[] = [];
  const calls: Expectations[] = [];
  const others: Failure[] = [];
  const scheduler = new Clock((actual: unknown, expected: unknown) => {
    if (!matches(actual, expected, true)) others.push(ofScheduler(actual, expected));
  });
  scheduler.run(({ cold, hot, time }) => {
    scheduler.maxFrames = horizonMs;
    const expectCall: Marbles["expectCall"] = (target, request, client = {}) => {
      const call = new MarbleCall(scheduler, target, request, client);
      return kept(calls, new Expectations(call, callerOf(expectCall)));
    };
    run(test, {
      cold: (...args) => kept(sources, cold(...args)),
      hot: (...args) => kept(sources, hot(...args)),
      time,
      scheduler,
      expectCall,
      expectSubscriptions: (source) => kept(spans, new SubscriptionExpectations(source)),
    });
  });
  if (calls.length === 0) others.push({ message: "Expected at least one `expectCall` in a marble test, got none" });
  const worked = (from: number, to: number) => sources.some((source) => wasSubscribedTo(source, from, to));
  const failed = [...calls.flatMap((call) => call.failures(worked)), ...spans.flatMap((each) => each.failures())];
  throwAll([...failed, ...others]);
}

function run(test: (kit: Marbles) => unknown, kit: Marbles): void {
  if (!isThenable(test(kit))) return;
  throw new TypeError("Expected `test` to be synchronous, got a function that returns a promise");
}

function kept<T, S extends T>(list: T[], item: S): S {
  list.push(item);
  return item;
}

function wasSubscribedTo({ subscriptions }: Source, from: number, to: number): boolean {
  return subscriptions.some(({ subscribedFrame }) => subscribedFrame >= from && subscribedFrame <= to);
}

/** What was expected through the scheduler itself. */
function ofScheduler(actual: unknown, expected: unknown): Failure {
  return {
    message: `Expected the scheduler to show  ${print(expected)}\ngot                             ${print(actual)}`,
  };
}

function throwAll(failures: readonly Failure[]): void {
  const [first] = failures;
  if (first === undefined) return;
  const error = new DiagramError(failures.map(({ message }) => message).join("\n\n"));
  if (first.site !== undefined) error.stack = `${error.name}: ${error.message}${first.site}`;
  throw error;
}
