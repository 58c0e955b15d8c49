/**
 * JSON with sorted keys: the same text for the same value, whatever the order in which it was built.
 * `undefined` is `null`.
 * @throws TypeError for what JSON cannot tell from others, such as a Map, a function or `NaN`.
 */
export function canonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value ?? null, canonical);
  if (text === undefined) throw new TypeError(`Expected a value with a JSON form, got a ${typeof value}`);
  return text;
}

function canonical(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`Expected a number with a JSON form, got ${value}`);
  }
  if (typeof value === "symbol" || typeof value === "function") {
    throw new TypeError(`Expected a value with a JSON form, got a ${typeof value}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (isOpaque(value)) {
    throw new TypeError(`Expected a value with a JSON form of its own, got ${Object.prototype.toString.call(value)}`);
  }
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Whether JSON makes `{}` of an object that is no plain one, such as a Map. */
export function isOpaque(value: object): boolean {
  return Object.keys(value).length === 0 && !isPlain(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
