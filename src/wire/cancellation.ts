import type { RequestId } from "../events/index.ts";
import { isIdentifier } from "./identifier.ts";

/** What `notifications/cancelled` says. */
export interface Cancellation {
  readonly requestId: RequestId;
  readonly reason?: string;
}

/** Reads the params of `notifications/cancelled`; `undefined` when malformed, which is to be ignored. */
export function readCancellation({ requestId, reason }: Readonly<Record<string, unknown>>): Cancellation | undefined {
  if (!isIdentifier(requestId)) return undefined;
  if (reason === undefined) return { requestId };
  return typeof reason === "string" ? { requestId, reason } : undefined;
}
