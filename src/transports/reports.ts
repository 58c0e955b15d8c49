import type { Diagnostics } from "../events/index.ts";

/** The connection of a request is cut, for an error that nobody foresaw. */
export function reportFailure(diagnostics: Diagnostics, cause: unknown): void {
  const message = "A request could not be carried; its connection was cut";
  diagnostics.report({ type: "connection-failed", message, cause });
}

/** The caller was answered, with an error that says nothing of it. */
export function reportAuthentication(diagnostics: Diagnostics, cause: unknown): void {
  const message = "`authenticate` failed; the request was refused with 500";
  diagnostics.report({ type: "connection-failed", message, cause });
}

export function reportSlowClient(diagnostics: Diagnostics): void {
  diagnostics.report({ type: "slow-client", message: "A client took nothing for too long; it was dropped" });
}

export function reportUnserializable(diagnostics: Diagnostics, method: string, cause: unknown): void {
  const message = "The result could not be serialized; the client got an error";
  diagnostics.report({ type: "unserializable", message, method, cause });
}
