/** Characters per call: `fromCharCode` takes its characters as arguments, and a stack holds only so many. */
const chunk = 8_192;

interface Platform {
  /** Node's. */
  readonly Buffer?: { from(bytes: ArrayBufferLike, from: number, length: number): { toString(as: "base64"): string } };
}

/** Encodes bytes in Base64 by the fastest means of the platform: of these only the last is everywhere. */
export function encodeBase64(bytes: Uint8Array & { readonly toBase64?: () => string }): string {
  if (typeof bytes.toBase64 === "function") return bytes.toBase64();
  const { Buffer }: Platform = globalThis;
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64") ?? spell(bytes);
}

function spell(bytes: Uint8Array): string {
  let binary = "";
  for (let from = 0; from < bytes.length; from += chunk) {
    binary += String.fromCharCode(...bytes.subarray(from, from + chunk));
  }
  return btoa(binary);
}
