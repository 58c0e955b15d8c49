import { defer, type MonoTypeOperatorFunction, tap } from "rxjs";
import { CountingProgressEmitter } from "./counting.ts";

/** What to report for a value: the progress, or the progress and its message. */
export type Reported = number | readonly [progress: number, message?: string];

interface NumericEmitter {
  emit(progress: number, message?: string): boolean;
}

interface StepEmitter {
  emit(message?: string): boolean;
}

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
  emitter: StepEmitter,
  project?: (value: T, index: number) => string | undefined,
): MonoTypeOperatorFunction<T>;
export function reportTo<T>(
  emitter: NumericEmitter | StepEmitter,
  project?: (value: T, index: number) => unknown,
): MonoTypeOperatorFunction<T> {
  return (source) =>
    defer(() => {
      let index = 0;
      const report = reporter(emitter);
      return source.pipe(tap((value) => report(project === undefined ? value : project(value, index++))));
    });
}

function reporter(emitter: NumericEmitter | StepEmitter): (projected: unknown) => void {
  const emit = emitter.emit.bind(emitter) as (first?: unknown, message?: unknown) => boolean;
  // A step takes no value, so a source's own values are not its messages.
  if (emitter instanceof CountingProgressEmitter) {
    return (projected) => void emit(typeof projected === "string" ? projected : undefined);
  }
  return (projected) => void (Array.isArray(projected) ? emit(projected[0], projected[1]) : emit(projected));
}
