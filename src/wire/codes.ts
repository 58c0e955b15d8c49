// JSON-RPC 2.0.
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

// MCP 2026-07-28, basic/index, error codes.
export const HEADER_MISMATCH = -32020;
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/** What the 2025 revisions call "resource not found"; later `INVALID_PARAMS` replaces it. */
export const RESOURCE_NOT_FOUND_2025 = -32002;

/**
 * The code that may go on the wire for one that a handler chose. Non-integers, and codes that the
 * specification keeps for itself without having defined them, must never be sent.
 */
export function sendableCode(code: number): number {
  if (code === RESOURCE_NOT_FOUND_2025) return INVALID_PARAMS;
  const reserved = code >= -32099 && code < UNSUPPORTED_PROTOCOL_VERSION;
  return reserved || !Number.isSafeInteger(code) ? INTERNAL_ERROR : code;
}
