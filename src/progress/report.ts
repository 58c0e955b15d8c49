import { type MonoTypeOperatorFunction, map } from "rxjs";
import { describeGiven } from "../errors.ts";
import { CountingProgressEmitter } from "./counting.ts";
import type { DoubleProgressEmitter } from "./double.ts";
import { ProgressEmitter } from "./emitter.ts";
import type { LongProgressEmitter } from "./long.ts";
import type { PercentageCompleteProgressEmitter } from "./percent.ts";

/** What to report for a value: the progress, or the progress and its message. */
export type Reported = number | readonly [progress: number, message?: string];

type NumericEmitter = DoubleProgressEmitter | LongProgressEmitter | PercentageCompleteProgressEmitter;

/**
 * Reports each value that passes and hands it on unchanged, like `tap`. A guard failure errors the stream.
 * Never subscribe an emitter to a source instead: there a guard failure is an uncaught exception.
 *
 * With a double, long or percent emitter `project` yields the progress, alone or with a message, and may
 * be left out for a stream of numbers; with a counting emitter it yields the step's message.
 */
export function reportTo(emitter: NumericEmitter): MonoTypeOperatorFunction<number>;
export function reportTo<T>(
  emitter: NumericEmitter,
  project: (value: T, index: number) => Reported,
): MonoTypeOperatorFunction<T>;
export function reportTo<T>(
  emitter: CountingProgressEmitter,
  project?: (value: T, index: number) => string | undefined,
): MonoTypeOperatorFunction<T>;
export function reportTo<T>(
  emitter: NumericEmitter | CountingProgressEmitter,
  project?: (value: T, index: number) => unknown,
): MonoTypeOperatorFunction<T> {
  if (!(emitter instanceof ProgressEmitter)) {
    throw new TypeError(`Expected \`emitter\` to be a progress emitter, got ${describeGiven(emitter)}`);
  }
  const emit = emitter.emit.bind(emitter) as (first?: unknown, message?: unknown) => boolean;
  // A step takes no value, so a source's own values are not its messages.
  const given = project ?? (emitter instanceof CountingProgressEmitter ? () => undefined : (value: T) => value);
  return map((value, index) => {
    const reported = given(value, index);
    if (Array.isArray(reported)) emit(...reported);
    else emit(reported);
    return value;
  });
}
