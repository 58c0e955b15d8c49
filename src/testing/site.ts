/** Something that is wrong, and the stack of who said what was expected, where that is known. */
export interface Failure {
  readonly message: string;
  readonly site?: string | undefined;
}

/**
 * The stack from the caller of a function on, which is running; `undefined` where engines have no such thing.
 * Of a check that is made later it is what names the line of the test.
 */
export function callerOf(running: (...args: never) => unknown): string | undefined {
  const error = new Error("");
  Error.captureStackTrace?.(error, running);
  const { stack }: { readonly stack?: unknown } = error;
  // Behind the line that names the error.
  return typeof stack === "string" && stack.includes("\n") ? stack.slice(stack.indexOf("\n")) : undefined;
}
