import type { ProgressInput } from "../client/index.ts";
import { attempt, Cancelled, isInstance } from "../errors.ts";

/** How a call ended, in the word for it. */
export type Outcome = "ended" | "failed" | "cancelled";

/** How a call ended that says this; `undefined` when it goes on. */
export function outcomeOf(item: ProgressInput): Outcome | undefined {
  if (!("type" in item)) return undefined;
  switch (item.type) {
    case "progress":
    case "elicitation":
    case "notification":
      return undefined;
    case "input-required":
      return "ended";
    case "result":
      return isFailure(item.result) ? "failed" : "ended";
    case "error":
      return "failed";
  }
}

/** How a call ended that failed with this. The reason of an `AbortController` is an `AbortError` unless it was given one. */
export function outcomeOfThrown(thrown: unknown): Outcome {
  const isAbort = isInstance(thrown, Cancelled) || (isInstance(thrown, Error) && thrown.name === "AbortError");
  return isAbort ? "cancelled" : "failed";
}

/** A tool says in its result that it failed. */
function isFailure(result: unknown): boolean {
  return attempt(() => typeof result === "object" && result !== null && "isError" in result && result.isError) === true;
}
