import type { z } from "zod";
import type { InputRequest } from "../events/index.ts";
import type { Awaitable } from "./once.ts";
import type { Answer, InputResponseOf } from "./question.ts";

export interface AskOptions {
  /**
   * What the question is known by from round to round. By default its own text, schema and turn: name it
   * when parallel branches ask in the same words. An answer counts for the text that was asked: one that
   * differs in every round is asked in every round, whatever its key.
   */
  readonly key?: string | undefined;
}

/**
 * What a handler asks through. In the modern era a question ends the round; the client answers it and the
 * handler runs again from the top, where the question resolves at once. What must not happen twice before a
 * question belongs into `once`. MCP 2026-07-28, basic/patterns/mrtr.
 *
 * In the legacy era the question goes out while the handler waits, and nothing runs again. There an answer
 * that stays invalid when it was asked for three times, or a client that fails to answer, rejects.
 */
export interface McpElicitor {
  /**
   * Asks with a form. The schema is flat: strings, numbers, integers, booleans and selections.
   * @throws TypeError for a schema that no form can say, naming the property; for a key used twice.
   * @throws MissingCapabilityError when the client takes no forms.
   * @throws UnsupportedRevisionError before 2025-06-18, and in it for a selection of several.
   */
  elicit<S extends z.ZodObject>(message: string, schema: S, options?: AskOptions): Promise<Answer<z.output<S>>>;
  /**
   * Asks to open a URL. Accepting is consent, not completion: use `later` until the page is finished.
   * @throws MissingCapabilityError when the client opens no URLs.
   * @throws UnsupportedRevisionError before 2025-11-25.
   */
  elicitUrl(message: string, url: string | URL, options?: AskOptions): Promise<Answer<undefined>>;
  /** Asks in the protocol's own words: sampling, roots, or an elicitation. */
  requestInput<R extends InputRequest>(request: R, options?: AskOptions): Promise<InputResponseOf<R>>;
  /**
   * Ends the round without a question: the client asks again when it sees fit.
   * @throws UnsupportedRevisionError in the legacy era, which has no rounds.
   */
  later(): Promise<never>;
  /**
   * Runs once along a chain of rounds: its value, or its error's name and message, is remembered and
   * returned on replay. The value must survive JSON: no Date, Map or function. It cannot know of a lost
   * response: `callId` is the idempotency key for that. Nor can it tell that its block caught the signal of a
   * question inside it, whose value is then remembered as if nothing had been asked, or ran itself with its own
   * key, which never ends.
   * @throws TypeError for a key used again after it finished, in the same run; for a value that JSON would change.
   */
  once<T>(key: string, run: () => Awaitable<T>): Promise<T>;
}
