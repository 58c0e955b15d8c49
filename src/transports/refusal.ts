import type { ServerResponse } from "node:http";
import type { RequestId } from "../events/index.ts";
import {
  type ErrorBody,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  PARSE_ERROR,
  printError,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "../wire/index.ts";

/** An HTTP error whose body is a JSON-RPC error. */
export interface Refusal {
  readonly status: number;
  readonly error: ErrorBody;
  /** Absent when it could not be read. */
  readonly id?: RequestId | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is none of this carrier's. */
export function refusal(status: number, message: string, headers: Refusal["headers"] = {}): Refusal {
  return { status, error: { code: INVALID_REQUEST, message }, headers };
}

/** The server cannot take a request now. */
export function unavailable(message: string): Refusal {
  return { status: 503, error: { code: INTERNAL_ERROR, message }, headers: { "Retry-After": "1" } };
}

export const closing: Refusal = unavailable("The server is closing");

/** The HTTP status of a request that ended in a JSON-RPC error. MCP 2026-07-28, basic/transports/streamable-http. */
export function statusOf({ code }: ErrorBody): number {
  switch (code) {
    case METHOD_NOT_FOUND:
      return 404;
    case PARSE_ERROR:
    case INVALID_REQUEST:
    case HEADER_MISMATCH:
    case MISSING_REQUIRED_CLIENT_CAPABILITY:
    case UNSUPPORTED_PROTOCOL_VERSION:
      return 400;
    default:
      return 200;
  }
}

/** Answers with a refusal, unless the response was begun or is gone. */
export function refuse(res: ServerResponse, { status, error, id, headers }: Refusal): void {
  if (res.headersSent || res.destroyed) return;
  const body = printError(id, error);
  res.writeHead(status, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  res.end(body);
}
