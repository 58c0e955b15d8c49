import { defer, map, type Observable, takeUntil, tap } from "rxjs";
import { Cancelled } from "../errors.ts";
import type { InputRequest } from "../events/index.ts";
import type { ElicitRequest, ElicitResult } from "../wire/index.ts";

/** A request for the client's model or its roots; both are deprecated by MCP 2026-07-28. */
export interface OtherRequest {
  readonly method: Exclude<InputRequest["method"], ElicitRequest["method"]>;
  readonly params?: object;
}

/** A question of the server, as it came. */
export type Question = ElicitRequest | OtherRequest;

/** What is known of a question beside its text. */
export interface QuestionInfo {
  /** What the server knows the question by; it says nothing to a user. */
  readonly key: string;
  /** Aborted when the call ends before the question is answered: close the dialog. */
  readonly signal: AbortSignal;
}

/** How a client answers. What a hook throws, or rejects with, rejects the call. */
export interface Answering {
  /**
   * Answers a form or a URL. The questions of a round are asked one after the other, in the server's order,
   * so that a user faces one dialog at a time; the call goes on when all are answered. Declining and
   * cancelling are answers. Accepting a URL is consent to open it, not completion.
   *
   * ```ts
   * onElicit: ({ params }) => ({ action: "accept", content: { name: prompt(params.message) } })
   * ```
   */
  readonly onElicit?:
    | ((request: ElicitRequest, info: QuestionInfo) => ElicitResult | PromiseLike<ElicitResult>)
    | undefined;
  /** Answers sampling and roots; for these, `capabilities` has to declare them. */
  readonly onInput?: ((request: OtherRequest, info: QuestionInfo) => object | PromiseLike<object>) | undefined;
}

/**
 * Has a hook answer one question, once subscribed to; emits the answer. `gone` errors when the call ends
 * meanwhile.
 */
export function answer(
  request: Question,
  key: string,
  { onElicit, onInput }: Answering,
  gone: Observable<never>,
): Observable<object> {
  const hook = (info: QuestionInfo): unknown => {
    if (request.method === "elicitation/create") return given("onElicit", onElicit, request)(request, info);
    return given("onInput", onInput, request)(request, info);
  };
  return defer(() => {
    const controller = new AbortController();
    const left = gone.pipe(tap({ error: (reason) => controller.abort(reason) }));
    return defer(async () => hook({ key, signal: controller.signal })).pipe(
      map((response) => checked(request, response)),
      tap({ unsubscribe: () => controller.abort(new Cancelled()) }),
      // An error of the notifier is an error of the whole.
      takeUntil(left),
    );
  });
}

function given<H>(name: keyof Answering, hook: H | undefined, { method }: Question): H {
  if (hook !== undefined) return hook;
  throw new TypeError(`Expected \`${name}\` to answer ${method}, got none`);
}

/** What is no object has no place in `inputResponses`: the server would ask for ever. */
function checked({ method }: Question, response: unknown): object {
  if (typeof response === "object" && response !== null) return response;
  throw new TypeError(
    `Expected the answer to ${method} to be an object, got ${response === null ? null : typeof response}`,
  );
}
