/**
 * JSON with sorted keys: the same text for the same value, whatever the order in which it was built.
 * `undefined` is `null`.
 * @throws TypeError for what JSON cannot tell from others, such as a Map or a function.
 */
export function canonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value ?? null, canonical);
  if (text === undefined) throw new TypeError(`Expected a value with a JSON form, got a ${typeof value}`);
  return text;
}

function canonical(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.length === 0 && !isPlain(value)) {
    throw new TypeError(`Expected a value with a JSON form of its own, got ${Object.prototype.toString.call(value)}`);
  }
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** SHA-256 of a text, base64url, cut to 128 bits. */
export async function fingerprint(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(hash, 0, 16));
}

export function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** `undefined` for what is not base64url in its one canonical form. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return toBase64Url(bytes) === text ? bytes : undefined;
}
