import type { Observable } from "rxjs";
import type { z } from "zod";
import { describeThrown, isInstance, McpError, MissingCapabilityError, UnsupportedRevisionError } from "../errors.ts";
import { type ClientCapabilities, canonicalJson, type ElicitationEvent, type InputRequest } from "../events/index.ts";
import { missingFor } from "./capability.ts";
import { Claims } from "./claims.ts";
import type { AskOptions, McpElicitor } from "./elicitor.ts";
import { type Awaitable, OnceBlocks } from "./once.ts";
import {
  type Answer,
  askAgain,
  formQuestion,
  type InputResponseOf,
  inputQuestion,
  type Question,
  urlQuestion,
} from "./question.ts";
import { capabilitiesIn, requestIn } from "./revision.ts";

export interface PushOptions {
  /** The revision that the client speaks. */
  readonly protocolVersion: string;
  /** What the client declared in `initialize`. */
  readonly capabilities: ClientCapabilities;
  /** Why nothing can be asked any more; `undefined` while it can. */
  readonly over: () => Error | undefined;
  /** Fires when the call is over. */
  readonly ended: Observable<unknown>;
  /** Puts a question in its place among the progress. */
  readonly publish: (event: ElicitationEvent) => void;
  /** Told when the first question opens and when the last one closes. */
  readonly onWaiting: (isWaiting: boolean) => void;
}

const maxOpen = 32;
/** How often a question is asked again after an answer that is not valid. */
const maxRepeats = 2;
/** A handler that retries whatever is thrown would spin for ever; after so many refusals it waits instead. */
const maxRefusals = 1_000;

/** The one run of a handler in the legacy era: a question goes out at once and the handler waits for its answer. */
export class Push implements McpElicitor {
  readonly #options: PushOptions;
  readonly #capabilities: ClientCapabilities;
  readonly #blocks: OnceBlocks;
  readonly #claims = new Claims();
  #asked = 0;
  #open = 0;
  #refusals = 0;
  #misuse: Error | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#capabilities = capabilitiesIn(options.protocolVersion, options.capabilities);
    this.#blocks = new OnceBlocks(new Map(), () => Promise.resolve());
  }

  /** What was used wrongly. It beats what the handler came to, as it does in the modern era. */
  get misuse(): Error | undefined {
    return this.#misuse;
  }

  /** Whether a question waits for its answer. */
  get isWaiting(): boolean {
    return this.#open > 0;
  }

  elicit<S extends z.ZodObject>(message: string, schema: S, options?: AskOptions): Promise<Answer<z.output<S>>> {
    return this.#attempt(() => this.#ask(() => formQuestion(message, schema), options));
  }

  elicitUrl(message: string, url: string | URL, options?: AskOptions): Promise<Answer<undefined>> {
    return this.#attempt(() => this.#ask(() => urlQuestion(message, url), options));
  }

  requestInput<R extends InputRequest>(request: R, options?: AskOptions): Promise<InputResponseOf<R>> {
    return this.#attempt(() => this.#ask(() => inputQuestion(request), options));
  }

  later(): Promise<never> {
    const unknown = "way to call again later: later() needs a client of MCP 2026-07-28";
    return this.#attempt(() => Promise.reject(new UnsupportedRevisionError(this.#options.protocolVersion, unknown)));
  }

  once<T>(key: string, run: () => Awaitable<T>): Promise<T> {
    return this.#attempt(async () => {
      this.#checkOver();
      return this.#checked(() => this.#blocks.run(key, run));
    });
  }

  /** Nobody may be waiting for what is attempted, and no rejection may end the process. */
  #attempt<T>(step: () => Promise<T>): Promise<T> {
    if (this.#refusals >= maxRefusals) return new Promise(() => undefined);
    const attempt = step();
    attempt.catch(() => {
      this.#refusals += 1;
    });
    return attempt;
  }

  async #ask<T>(create: () => Question<T>, { key }: AskOptions = {}): Promise<T> {
    this.#checkOver();
    const question = this.#checked(create);
    const text = this.#checked(() => canonicalJson(question.request));
    requestIn(this.#options.protocolVersion, question.request);
    const missing = missingFor(question.request, this.#capabilities);
    if (missing !== undefined) throw new MissingCapabilityError(missing);
    const claim = this.#checked(() => this.#claims.claim(key, text));
    // Nothing is left open here, so that each claim is a new one.
    if (claim === undefined) throw new TypeError("Expected a question that is not open");
    try {
      this.#asked += 1;
      return await this.#converse(question, key ?? `question ${this.#asked}`);
    } finally {
      claim.isAsking = false;
    }
  }

  async #converse<T>({ request, read }: Question<T>, key: string): Promise<T> {
    let issue: string | undefined;
    for (let repeats = 0; repeats <= maxRepeats; repeats += 1) {
      const reading = await read(await this.#put(key, issue === undefined ? request : askAgain(request, issue)));
      if (reading.type === "answer") return reading.value;
      issue = reading.issue;
    }
    throw new Error(`The client's answer is not valid, though it was asked ${maxRepeats + 1} times: ${issue}`);
  }

  async #put(key: string, request: InputRequest): Promise<unknown> {
    const { ended, onWaiting, over, protocolVersion, publish } = this.#options;
    this.#checkOver();
    this.#checked(() => {
      if (this.#open < maxOpen) return;
      throw new TypeError(`Expected at most ${maxOpen} open questions, got more`);
    });
    return new Promise((resolve, reject) => {
      let isOpen = true;
      const close = (settle: () => void): void => {
        if (!isOpen) return;
        isOpen = false;
        leaving.unsubscribe();
        this.#open -= 1;
        if (this.#open === 0) onWaiting(false);
        settle();
      };
      const leaving = ended.subscribe(() => close(() => reject(over())));
      this.#open += 1;
      if (this.#open === 1) onWaiting(true);
      publish({
        type: "elicitation",
        key,
        request: requestIn(protocolVersion, request),
        answer: (response) => {
          close(() => (isInstance(response, Error) ? reject(failureOf(response)) : resolve(response)));
        },
      });
    });
  }

  #checkOver(): void {
    const over = this.#options.over();
    if (over !== undefined) throw over;
  }

  /** Runs what fails by misuse only. */
  #checked<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.#misuse ??= isInstance(error, Error) ? error : new TypeError(describeThrown(error));
      throw error;
    }
  }
}

/** The client's own error must not pass for one that the handler chose to send. */
function failureOf(error: Error): Error {
  return error instanceof McpError ? new Error(`The client did not answer: ${error.message}`, { cause: error }) : error;
}
