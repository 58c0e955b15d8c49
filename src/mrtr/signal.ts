import { isInstance, Unanswered } from "../errors.ts";

/**
 * True for the signal that unwinds a handler when its question is open: rethrow it, or let it pass.
 * What a handler returns instead does not win; the round ends with the question.
 */
export function isUnanswered(error: unknown): boolean {
  return isInstance(error, Unanswered);
}
