import {
  attempt,
  Deadline,
  isInstance,
  McpError,
  MissingCapabilityError,
  messageOf,
  ToolError,
  UnsupportedRevisionError,
} from "../errors.ts";
import type { Result } from "../events/index.ts";
import { INTERNAL_ERROR, MISSING_REQUIRED_CLIENT_CAPABILITY, sendableCode } from "./codes.ts";
import type { ErrorBody } from "./json-rpc.ts";

/** How a tool's failure ends its call: as a result that the model reads, or as a JSON-RPC error. */
export type ToolFailure =
  | { readonly type: "result"; readonly result: Result }
  | { readonly type: "error"; readonly error: ErrorBody };

export interface ToolFailureOptions {
  /** Hides every message but a `ToolError`'s. @default false */
  readonly maskErrors?: boolean | undefined;
}

const internalError: ErrorBody = { code: INTERNAL_ERROR, message: "Internal error" };
const maskedMessage = "The tool failed";

/**
 * Turns what a handler threw into a JSON-RPC error. An `McpError` is itself, all else is an internal error
 * that tells nothing. Never throws, whatever was thrown.
 */
export function toErrorBody(error: unknown): ErrorBody {
  return (
    attempt(() => {
      if (isInstance(error, McpError)) return bodyOf(error);
      if (isInstance(error, MissingCapabilityError)) return missingCapability(error);
      return tellsClient(error) ? { code: INTERNAL_ERROR, message: error.message } : undefined;
    }) ?? internalError
  );
}

/** Turns what a tool threw into the end of its call. Never throws, and never tells a stack or a cause. */
export function toToolFailure(error: unknown, { maskErrors = false }: ToolFailureOptions = {}): ToolFailure {
  if (isInstance<Error>(error, McpError, MissingCapabilityError)) return { type: "error", error: toErrorBody(error) };
  const text = maskErrors && !isInstance(error, ToolError) ? undefined : messageOf(error);
  return { type: "result", result: { content: [{ type: "text", text: text ?? maskedMessage }], isError: true } };
}

/** Internal errors of which the client may know more than that. */
function tellsClient(error: unknown): error is Error {
  return isInstance<Error>(error, Deadline, UnsupportedRevisionError);
}

function missingCapability({ message, requiredCapabilities }: MissingCapabilityError): ErrorBody {
  return { code: MISSING_REQUIRED_CLIENT_CAPABILITY, message, data: { requiredCapabilities } };
}

function bodyOf({ code, message, data }: McpError): ErrorBody {
  const body = { code: sendableCode(code), message: String(message) };
  return data === undefined ? body : { ...body, data };
}
