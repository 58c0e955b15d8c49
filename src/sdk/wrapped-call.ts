import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Result } from "../events/index.ts";
import type { MrtrContext } from "../mrtr/index.ts";
import type { Awaitable } from "../server/index.ts";

/** One call of a wrapped handler: what it came to, untouched. */
export class WrappedCall<R> {
  readonly #handler: (ctx: MrtrContext) => Awaitable<R>;
  #returned: { readonly value: R } | undefined;
  /** What the handler threw. */
  failure: unknown;

  constructor(handler: (ctx: MrtrContext) => Awaitable<R>) {
    this.#handler = handler;
  }

  /** With a refusal, the handler can report but not ask. */
  async run(ctx: MrtrContext, refusal: string | undefined): Promise<void> {
    try {
      this.#returned = { value: await this.#handler(refusal === undefined ? ctx : refusing(ctx, refusal)) };
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /**
   * A question that is open, and a failure, outdo what the handler returned.
   * @throws what the handler threw, when the SDK knows that error
   */
  end(result: Result): R {
    const isFailed = result.isError === true;
    if (isFailed && ProtocolError.isInstance(this.failure)) throw this.failure;
    const returned = this.#returned;
    if (isFailed || isInputRequiredResult(result) || returned === undefined) return result as R;
    return returned.value;
  }

  /** Whether an error stands for what the handler threw, which the SDK would have sent as it is. */
  isMasking(error: unknown, maskErrors: boolean): boolean {
    if (this.failure === undefined || !ProtocolError.isInstance(error)) return false;
    if (error.code !== ProtocolErrorCode.InternalError) return false;
    return !maskErrors || ProtocolError.isInstance(this.failure);
  }
}

/** Refuses what a client would have to carry between rounds. */
function refusing(ctx: MrtrContext, refusal: string): MrtrContext {
  const refuse = (): Promise<never> => {
    const refused = Promise.reject(new TypeError(refusal));
    refused.catch(() => undefined);
    return refused;
  };
  return Object.assign(ctx, {
    elicit: refuse,
    elicitUrl: refuse,
    requestInput: refuse,
    later: refuse,
    once: refuse,
  });
}
