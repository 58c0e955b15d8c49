/**
 * Request ids and progress tokens share one rule: a string or an integer. An integer over 2^53 has been
 * rounded by `JSON.parse` and cannot be echoed, so it is none. `0` and `""` are.
 */
export function isIdentifier(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Names a JSON value for an error message, without repeating what may be long or secret. */
export function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  return Array.isArray(value) ? "an array" : `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
