import type { RunHelpers, TestScheduler } from "rxjs/testing";
import { isThenable } from "../progress/index.ts";
import { horizonMs, MarbleCall } from "./call.ts";
import { Clock } from "./clock.ts";
import { drawSpan, type Span } from "./diagram.ts";
import { type CallExpectation, Expectations } from "./expectation.ts";
import type { TestRequest } from "./request.ts";
import type { MarbleClient } from "./scene.ts";
import type { Target } from "./target.ts";

/** A diagram that does not show what happened. Its message has both, as pictures and as lists. */
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

/** What is known of an observable that `cold` or `hot` made. */
export type Source = Pick<ReturnType<RunHelpers["cold"]>, "subscriptions">;

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
  const failures: string[] = [];
  const sources: Source[] = [];
  const calls: Expectations[] = [];
  const scheduler = new Clock((actual: readonly Span[], expected: readonly Span[]) => {
    const [seen, wanted] = [actual, expected].map((spans) => spans.map(drawSpan).join("  ") || "none");
    if (seen !== wanted) failures.push(`Expected the subscriptions  ${wanted}\ngot                         ${seen}`);
  });
  scheduler.run(({ cold, hot, time, expectSubscriptions }) => {
    scheduler.maxFrames = horizonMs;
    const kept = <S extends Source>(source: S): S => {
      sources.push(source);
      return source;
    };
    const returned: unknown = test({
      cold: (...args) => kept(cold(...args)),
      hot: (...args) => kept(hot(...args)),
      time,
      scheduler,
      expectSubscriptions: ({ subscriptions }) => expectSubscriptions(subscriptions),
      expectCall: (target, request, client = {}) => {
        const expectations = new Expectations(new MarbleCall(scheduler, target, request, client));
        calls.push(expectations);
        return expectations;
      },
    });
    if (isThenable(returned))
      throw new TypeError("Expected `test` to be synchronous, got a function that returns a promise");
  });
  const worked = (from: number, to: number) =>
    sources.some(({ subscriptions }) =>
      subscriptions.some(({ subscribedFrame }) => subscribedFrame >= from && subscribedFrame <= to),
    );
  if (calls.length === 0) failures.push("Expected at least one `expectCall` in a marble test, got none");
  failures.push(...calls.flatMap((call) => call.failures(worked)));
  if (failures.length > 0) throw new DiagramError(failures.join("\n\n"));
}
