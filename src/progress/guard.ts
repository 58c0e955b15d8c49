import { describeGiven, InvalidProgressError, NonIncreasingProgressError } from "../errors.ts";

/** Checks the range of one value; throws `InvalidProgressError`. */
export type RangeGuard = (value: number) => void;

export const guardFinite: RangeGuard = (value) => {
  if (!Number.isFinite(value)) throw outOfRange("progress", "a finite number", value);
};

export const guardInteger: RangeGuard = (value) => {
  if (!Number.isSafeInteger(value)) throw outOfRange("progress", "a safe integer", value);
};

export const guardFraction: RangeGuard = (value) => {
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) throw outOfRange("fraction", "in [0, 1]", value);
};

/** A first value is free; every later one must exceed the one before. */
export function guardIncrease(previous: number | undefined, value: number): void {
  if (previous !== undefined && !(value > previous)) throw new NonIncreasingProgressError(previous, value);
}

/** An absent message is `undefined`; `null` counts as absent, anything but a string is a `TypeError`. */
export function guardMessage(message: string | null | undefined): string | undefined {
  if (message === undefined || message === null) return undefined;
  if (typeof message !== "string") {
    throw new TypeError(`Expected message to be a string, got ${describeGiven(message)}`);
  }
  return message;
}

/** An unknown total is `undefined`; a known one is finite and not negative. */
export function guardTotal(total: number | null | undefined): number | undefined {
  if (total === undefined || total === null) return undefined;
  if (!Number.isFinite(total) || total < 0) throw outOfRange("total", "a finite number of at least 0", total);
  return total;
}

/** As `guardTotal`, for emitters that count. */
export function guardIntegerTotal(total: number | null | undefined): number | undefined {
  if (total === undefined || total === null) return undefined;
  if (!Number.isSafeInteger(total) || total < 0) throw outOfRange("total", "a safe integer of at least 0", total);
  return total;
}

export function outOfRange(what: string, expected: string, got: unknown): InvalidProgressError {
  return new InvalidProgressError(`Expected ${what} to be ${expected}, got ${describeGiven(got)}`);
}
