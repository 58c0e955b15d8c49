const prefix = "=?base64?";
const suffix = "?=";

/**
 * Decodes the value of an `Mcp-Name` or `Mcp-Param-*` header: visible ASCII, spaces and tabs, or UTF-8 in
 * the Base64 form of MCP 2026-07-28, basic/transports/streamable-http, Value Encoding.
 * `undefined` when it is neither.
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const encoded = value.length >= prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix);
  return encoded ? decodeBase64(value.slice(prefix.length, -suffix.length)) : value;
}

function decodeBase64(text: string): string | undefined {
  try {
    const binary = atob(text);
    // `atob` takes spaces, missing padding and stray bits; two spellings of one value must not pass.
    if (btoa(binary) !== text) return undefined;
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
