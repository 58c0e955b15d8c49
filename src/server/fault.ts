import { isInstance, McpError, MissingCapabilityError, ToolError, UnsupportedRevisionError } from "../errors.ts";
import type { Diagnostic } from "../events/index.ts";

/** A handler's value that its kind cannot send. Clients see the message; the cause is for diagnostics. */
export class InvalidOutput extends Error {
  override readonly name = "InvalidOutput";
}

/** A handler's value that has no JSON form. */
export class Unserializable extends Error {
  override readonly name = "Unserializable";
}

/** Arguments on which their schema itself failed. Clients see the message. */
export class UncheckedArguments extends Error {
  override readonly name = "UncheckedArguments";
}

/**
 * What a developer should know of a failure that ended a request. A `ToolError` and an `McpError` say to
 * the client all there is to say, and so does what it cannot be asked.
 */
export function diagnose(error: unknown): Diagnostic | undefined {
  if (isInstance<Error>(error, McpError, ToolError) || isIncapacity(error)) return undefined;
  if (isInstance(error, InvalidOutput)) return { type: "invalid-output", message: error.message, cause: error.cause };
  if (isInstance(error, Unserializable)) return { type: "unserializable", message: error.message, cause: error.cause };
  if (isInstance(error, UncheckedArguments)) {
    return { type: "check-failed", message: error.message, cause: error.cause };
  }
  return { type: "handler-failed", message: "A handler failed", cause: error };
}

/** True for what a client, or the revision that it speaks, cannot be asked. */
export function isIncapacity(error: unknown): error is MissingCapabilityError | UnsupportedRevisionError {
  return isInstance<Error>(error, MissingCapabilityError, UnsupportedRevisionError);
}

/** Prints a value as JSON. */
export function printValue(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new Unserializable("A handler returned a value that cannot be serialized", { cause });
  }
  throw new Unserializable(`A handler returned a ${typeof value}, which has no JSON form`);
}
