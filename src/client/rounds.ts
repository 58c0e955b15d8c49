import { concat, concatMap, defer, from, ignoreElements, type Observable, of, repeat, takeWhile, tap } from "rxjs";
import { MalformedResult, TooManyRounds } from "../errors.ts";
import type { Result } from "../events/index.ts";
import { printJson } from "../wire/index.ts";
import type { Params } from "./connection.ts";
import type { CallEvent, QuestionEvent } from "./event.ts";
import { type Pacing, pauseMs } from "./pacing.ts";
import type { Question } from "./question.ts";

export interface RoundsOptions {
  /** Sends the request of one round, under an id of its own, on subscription. */
  readonly send: (params: Params) => Observable<CallEvent>;
  /** Emits the answer to one question. */
  readonly answer: (request: Question, key: string) => Observable<object>;
  /** Completes after a while. */
  readonly pause: (delayMs: number) => Observable<never>;
  readonly pacing: Pacing;
  /** How many rounds a call may take. */
  readonly maxRounds: number;
}

/** What an `input_required` result says. The state is the server's: it goes back as it came. */
interface InputRequired {
  readonly inputRequests?: Readonly<Record<string, Question>>;
  readonly requestState?: unknown;
}

/**
 * Joins the rounds of one call: answers what the server asks and sends the request again, until it has its
 * result. MCP 2026-07-28, basic/patterns/mrtr, Client Requirements.
 */
export function joinRounds(params: Params, options: RoundsOptions): Observable<CallEvent> {
  return defer(() => {
    const course = new Course(params, options);
    return defer(() => course.round()).pipe(
      repeat(),
      takeWhile(({ type }) => type !== "result", true),
    );
  });
}

/** How far a call has come. */
class Course {
  readonly #options: RoundsOptions;
  /** A retry repeats what was sent, whatever the caller did to it meanwhile. */
  readonly #params: Params;
  #next: Params;
  #rounds = 0;
  #pauses = 0;

  constructor(params: Params, options: RoundsOptions) {
    this.#options = options;
    this.#params = JSON.parse(printJson(params));
    this.#next = this.#params;
  }

  /** One round, and what the next one needs. */
  round(): Observable<CallEvent> {
    this.#rounds += 1;
    return this.#options
      .send(this.#next)
      .pipe(
        concatMap((event) =>
          event.type !== "result" || isComplete(event.result) ? of(event) : this.#goOn(event.result),
        ),
      );
  }

  #goOn({ inputRequests, requestState }: InputRequired): Observable<CallEvent> {
    if (inputRequests === undefined && requestState === undefined) throw new MalformedResult(nothingAsked);
    const { maxRounds } = this.#options;
    const questions = Object.entries(inputRequests ?? {});
    if (this.#rounds >= maxRounds) throw new TooManyRounds(maxRounds, textOf(questions[0]?.[1]));
    const responses = new Map<string, object>();
    const retry = (): void => {
      const inputResponses = questions.length === 0 ? undefined : Object.fromEntries(responses);
      this.#next = { ...this.#params, inputResponses, requestState };
    };
    const work = questions.length === 0 ? this.#pause() : this.#ask(questions, responses);
    return work.pipe(tap({ complete: retry }));
  }

  /** Without a question nothing but time passes: pause longer each time. */
  #pause(): Observable<never> {
    const { pause, pacing } = this.#options;
    return pause(pauseMs(pacing, this.#pauses++));
  }

  /** Emits each question and waits for its answer before the next. */
  #ask(questions: readonly [string, Question][], responses: Map<string, object>): Observable<QuestionEvent> {
    this.#pauses = 0;
    const answered = (key: string, request: Question): Observable<never> =>
      this.#options.answer(request, key).pipe(
        tap((response) => responses.set(key, response)),
        ignoreElements(),
      );
    return from(questions).pipe(
      concatMap(([key, request]) =>
        concat(of<QuestionEvent>({ type: "elicitation", key, request }), answered(key, request)),
      ),
    );
  }
}

/** What the first question says; why an answer was refused is part of that. */
function textOf(question: Question | undefined): string | undefined {
  const { message }: { readonly message?: unknown } = question?.params ?? {};
  return typeof message === "string" ? message : undefined;
}

const nothingAsked =
  "Expected an `input_required` result to have `inputRequests` or `requestState`, got neither; the call cannot go on";

/** No `resultType` means that the result is complete. MCP 2026-07-28, basic/index, ResultType. */
function isComplete({ resultType = "complete" }: Result): boolean {
  if (resultType === "complete") return true;
  if (resultType === "input_required") return false;
  throw new MalformedResult(`Expected \`resultType\` to be known to this client, got ${JSON.stringify(resultType)}`);
}
