import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Result } from "../events/index.ts";
import type { MrtrContext } from "../mrtr/index.ts";
import type { Awaitable } from "../server/index.ts";

/** One call of a wrapped handler: what it came to, untouched. */
export class WrappedCall<R> {
  readonly #handler: (ctx: MrtrContext) => Awaitable<R>;
  #returned: R | undefined;
  /** What the handler threw. */
  failure: unknown;

  constructor(handler: (ctx: MrtrContext) => Awaitable<R>) {
    this.#handler = handler;
  }

  async run(ctx: MrtrContext, canAsk: boolean): Promise<void> {
    try {
      this.#returned = await this.#handler(canAsk ? ctx : Object.assign(ctx, nameless));
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
    return returned;
  }

  /** Whether an error stands for what the handler threw, which the SDK would have sent as it is. */
  isMasking(error: unknown, maskErrors: boolean): boolean {
    if (this.failure === undefined || !ProtocolError.isInstance(error)) return false;
    if (error.code !== ProtocolErrorCode.InternalError) return false;
    return !maskErrors || ProtocolError.isInstance(this.failure);
  }
}

/** What needs to be bound to a name. */
const nameless = { elicit: refuse, elicitUrl: refuse, requestInput: refuse, later: refuse, once: refuse };

function refuse(): Promise<never> {
  const refused = Promise.reject(
    new TypeError(
      'Expected the options of `withToolContext` or `withPromptContext` to hold the registered `name` for the handler to ask or to run once, got none; write `{ name: "…" }` behind the handler',
    ),
  );
  refused.catch(() => undefined);
  return refused;
}
