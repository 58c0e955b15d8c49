import { describeGiven } from "../errors.ts";

export function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`Expected \`${name}\` to be an integer of at least 1, got ${describeGiven(value)}`);
  }
}

export function checkText(name: string, value: unknown): void {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`Expected \`${name}\` to be a string that is not empty, got ${describeGiven(value)}`);
  }
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== "function")
    throw new TypeError(`Expected \`${name}\` to be a function, got ${describeGiven(value)}`);
}

/** Leaves out the keys that have no value: optional is not nullable on the wire. */
export function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
