import type { z } from "zod";
import { describeThrown, isInstance, MissingCapabilityError, Unanswered } from "../errors.ts";
import {
  type ClientCapabilities,
  canonicalJson,
  type Diagnostic,
  type ElicitationEvent,
  type InputRequest,
} from "../events/index.ts";
import { missingFor } from "./capability.ts";
import { Claims } from "./claims.ts";
import type { AskOptions, McpElicitor } from "./elicitor.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Ledger } from "./ledger.ts";
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
import { isUnanswered } from "./signal.ts";

export interface RoundOptions {
  readonly capabilities: ClientCapabilities;
  /** What is said when a capability is missing. @default that the client does not support it */
  readonly cannotAsk?: string | undefined;
  readonly ledger: Ledger;
  /** The `inputResponses` of the request. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** Why the request is over; `undefined` while it is not. */
  readonly over: () => Error | undefined;
  /** Puts a question in its place among the progress. */
  readonly publish: (event: ElicitationEvent) => void;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Told of each answer that is used for the first time. */
  readonly onFresh: () => void;
  /** Told once that the round will not end as its handler does: the handler should unwind. */
  readonly onUnwind: () => void;
}

/** How a round ended, apart from what the handler said. */
export type RoundEnd =
  | { readonly type: "settled" }
  | { readonly type: "misused"; readonly error: Error }
  | {
      readonly type: "open";
      readonly inputRequests: Readonly<Record<string, InputRequest>>;
      /** What the next round needs; its mark is the line's. */
      readonly ledger: Ledger;
    };

/** What tells a question from others: its digest, and its place in the order of asking. */
interface Asked {
  readonly print: string;
  readonly at: number;
}

const maxOpen = 32;
/** A handler that retries whatever is thrown would spin for ever; after so many refusals it waits instead. */
const maxRefusals = 1_000;

/** One run of a handler in the modern era: answered questions resolve, the others end the round. */
export class Round implements McpElicitor {
  readonly #options: RoundOptions;
  readonly #blocks: OnceBlocks;
  readonly #claims = new Claims();
  readonly #open = new Map<string, Asked & { readonly request: InputRequest }>();
  /** Digests come one after the other, so that what is asked at once is published in the order of asking. */
  #turn: Promise<unknown> = Promise.resolve();
  #asked = 0;
  readonly #asking = new Set<Promise<unknown>>();
  readonly #running = new Set<Promise<unknown>>();
  #isPostponed = false;
  #isUnwinding = false;
  #isClosed = false;
  #refusals = 0;
  #misuse: Error | undefined;

  constructor(options: RoundOptions) {
    this.#options = options;
    this.#blocks = new OnceBlocks(options.ledger.memos, () => this.#mayStart());
  }

  elicit<S extends z.ZodObject>(message: string, schema: S, options?: AskOptions): Promise<Answer<z.output<S>>> {
    return this.#ask(() => formQuestion(message, schema), options);
  }

  elicitUrl(message: string, url: string | URL, options?: AskOptions): Promise<Answer<undefined>> {
    return this.#ask(() => urlQuestion(message, url), options);
  }

  requestInput<R extends InputRequest>(request: R, options?: AskOptions): Promise<InputResponseOf<R>> {
    return this.#ask(() => inputQuestion(request), options);
  }

  later(): Promise<never> {
    return this.#attempt(this.#asking, async () => {
      this.#isPostponed = true;
      throw this.#unwind();
    });
  }

  once<T>(key: string, run: () => Awaitable<T>): Promise<T> {
    return this.#attempt(this.#running, async () => this.#checked(() => this.#blocks.run(key, run)));
  }

  /** Resolves when no question is being asked and nothing that runs once is running. */
  async quiet(): Promise<void> {
    while (this.#asking.size + this.#running.size > 0) await Promise.allSettled([...this.#asking, ...this.#running]);
  }

  /** Ends the round: nothing may be asked or started any more, and what is under way is waited for. */
  async end(): Promise<RoundEnd> {
    this.#isClosed = true;
    await this.quiet();
    if (this.#misuse !== undefined) return { type: "misused", error: this.#misuse };
    if (!this.#isOpen) return { type: "settled" };
    const open = [...this.#open].sort(([, one], [, other]) => one.at - other.at);
    return {
      type: "open",
      inputRequests: Object.fromEntries(open.map(([key, { request }]) => [key, request])),
      ledger: { ...this.#options.ledger, open: new Map(open.map(([key, { print }]) => [key, print])) },
    };
  }

  get #isOpen(): boolean {
    return this.#isPostponed || this.#open.size > 0;
  }

  #ask<T>(create: () => Question<T>, options?: AskOptions): Promise<T> {
    return this.#attempt(this.#asking, () => this.#resolve(create, options));
  }

  /** Refuses what comes too late; and nobody may be waiting, so that no rejection may end the process. */
  #attempt<T>(attempts: Set<Promise<unknown>>, step: () => Promise<T>): Promise<T> {
    if (this.#refusals >= maxRefusals) return new Promise(() => undefined);
    const late = this.#options.over() ?? (this.#isClosed ? new Unanswered() : undefined);
    const attempt = late === undefined ? step() : Promise.reject(this.#refused(late));
    attempts.add(attempt);
    const settle = (): void => {
      attempts.delete(attempt);
    };
    attempt.then(settle, settle);
    return attempt;
  }

  async #resolve<T>(create: () => Question<T>, { key }: AskOptions = {}): Promise<T> {
    const question = this.#checked(create);
    const text = this.#checked(() => canonicalJson(question.request));
    const { capabilities, cannotAsk } = this.#options;
    const missing = missingFor(question.request, capabilities);
    if (missing !== undefined) throw new MissingCapabilityError(missing, cannotAsk);
    const claim = this.#checked(() => this.#claims.claim(key, text));
    if (claim === undefined) throw this.#unwind();
    this.#asked += 1;
    const at = this.#asked;
    try {
      const print = await this.#inTurn(() => fingerprint(text));
      return await this.#answerOf(question, key ?? `${print}.${claim.turn}`, { print, at });
    } catch (error) {
      if (isUnanswered(error)) claim.isOpen = true;
      throw error;
    } finally {
      claim.isAsking = false;
    }
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(step);
    this.#turn = turn;
    return turn;
  }

  async #answerOf<T>({ request, read }: Question<T>, key: string, asked: Asked): Promise<T> {
    const { print } = asked;
    const { answers, open } = this.#options.ledger;
    const kept = answers.get(key);
    const before = kept?.fingerprint ?? open?.get(key);
    if (before !== undefined && before !== print) this.#reportChanged(key);
    const isKept = kept?.fingerprint === print;
    const response = isKept ? kept.response : this.#responseTo(key, print);
    if (response === undefined) return this.#leaveOpen(key, asked, request);
    const reading = await read(response);
    if (reading.type === "invalid") return this.#leaveOpen(key, asked, askAgain(request, reading.issue));
    if (!isKept) {
      answers.set(key, { fingerprint: print, response: reading.kept });
      this.#options.onFresh();
    }
    return reading.value;
  }

  /** Answers count for the questions that were open; without a state, for those of the first round. */
  #responseTo(key: string, print: string): unknown {
    const { ledger, responses } = this.#options;
    const isAwaited = ledger.open === undefined || ledger.open.get(key) === print;
    return isAwaited && Object.hasOwn(responses, key) ? responses[key] : undefined;
  }

  #leaveOpen(key: string, asked: Asked, request: InputRequest): never {
    this.#checked(() => {
      if (this.#open.size < maxOpen) return;
      throw new TypeError(`Expected at most ${maxOpen} open questions in a round, got more`);
    });
    this.#options.ledger.answers.delete(key);
    this.#open.set(key, { ...asked, request });
    this.#options.publish({ type: "elicitation", key, request });
    throw this.#unwind();
  }

  async #mayStart(): Promise<void> {
    while (this.#asking.size > 0) await Promise.allSettled(this.#asking);
    const over = this.#options.over();
    if (over !== undefined) throw this.#refused(over);
    if (this.#isOpen) throw this.#unwind();
  }

  /** Runs what fails by misuse only. Misuse beats an open question, and a handler that catches it. */
  #checked<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.#misuse ??= isInstance(error, Error) ? error : new TypeError(describeThrown(error));
      this.#unwind();
      throw error;
    }
  }

  #unwind(): Unanswered {
    if (!this.#isUnwinding) {
      this.#isUnwinding = true;
      this.#options.onUnwind();
    }
    return this.#refused(new Unanswered());
  }

  #refused<E extends Error>(error: E): E {
    this.#refusals += 1;
    return error;
  }

  #reportChanged(key: string): void {
    const message = `The question with key ${JSON.stringify(key)} changed since it was asked; it is asked again`;
    this.#options.report({ type: "changed-question", message });
  }
}
