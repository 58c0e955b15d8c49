import { maxTimerMs } from "../events/index.ts";

/** Checks a delay where it is configured. */
export function checkDelay(name: string, value: number | undefined, minimum: number): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || value < minimum || value > maxTimerMs) {
    throw new RangeError(`Expected \`${name}\` to be an integer from ${minimum} to ${maxTimerMs}, got ${value}`);
  }
}

export function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`Expected \`${name}\` to be an integer of at least 1, got ${value}`);
  }
}

export function checkText(name: string, value: unknown): void {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`Expected \`${name}\` to be a string that is not empty, got ${describe(value)}`);
  }
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`Expected \`${name}\` to be a function, got ${describe(value)}`);
}

export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Leaves out the keys that have no value: optional is not nullable on the wire. */
export function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
