import { describeGiven } from "../errors.ts";
import type { Memo } from "./ledger.ts";
import { type Loss, lossOf } from "./loss.ts";
import { isUnanswered } from "./signal.ts";

export type Awaitable<T> = T | PromiseLike<T>;

interface Block {
  readonly promise: Promise<unknown>;
  callers: number;
  isSettled: boolean;
}

/** Run-once blocks: each key runs once along a chain of rounds and is remembered in the ledger. */
export class OnceBlocks {
  readonly #memos: Map<string, Memo>;
  readonly #mayStart: () => Promise<void>;
  readonly #blocks = new Map<string, Block>();

  /** `mayStart` rejects while a question is open: nothing may start then. */
  constructor(memos: Map<string, Memo>, mayStart: () => Promise<void>) {
    this.#memos = memos;
    this.#mayStart = mayStart;
  }

  /** @throws TypeError for a key that finished before, in the same run. */
  run<T>(key: string, run: () => Awaitable<T>): Promise<T> {
    if (typeof key !== "string") throw new TypeError(`Expected a once key to be a string, got a ${typeof key}`);
    if (typeof run !== "function") {
      throw new TypeError(`Expected what runs once to be a function, got a ${typeof run}`);
    }
    const block = this.#blocks.get(key);
    return (block === undefined ? this.#begin(key, run) : this.#join(key, block)) as Promise<T>;
  }

  #begin(key: string, run: () => unknown): Promise<unknown> {
    const memo = this.#memos.get(key);
    const promise = memo === undefined ? this.#start(key, run) : recall(memo);
    const block: Block = { promise, callers: 1, isSettled: false };
    this.#blocks.set(key, block);
    const settle = (): void => {
      block.isSettled = true;
      // What a signal unwound did not finish: it is no misuse to come back to it.
      if (!this.#memos.has(key)) this.#blocks.delete(key);
    };
    promise.then(settle, settle);
    return promise;
  }

  /** Callers that shared a run share its memo too, though on a replay it is there at once. */
  #join(key: string, block: Block): Promise<unknown> {
    const memo = this.#memos.get(key);
    if (block.isSettled && block.callers >= (memo?.callers ?? 0)) {
      throw new TypeError(`Expected a once key to be used once, got ${JSON.stringify(key)} again`);
    }
    block.callers += 1;
    if (memo !== undefined && memo.callers < block.callers) this.#memos.set(key, { ...memo, callers: block.callers });
    return block.promise;
  }

  async #start(key: string, run: () => unknown): Promise<unknown> {
    await this.#mayStart();
    try {
      const value = jsonOf(key, await run());
      this.#remember(key, value === undefined ? {} : { value });
      return value;
    } catch (error) {
      // A question inside the block ends the round; the block itself came to nothing yet.
      if (!isUnanswered(error)) this.#remember(key, { error: describe(error) });
      throw error;
    }
  }

  #remember(key: string, outcome: Omit<Memo, "callers">): void {
    this.#memos.set(key, { ...outcome, callers: this.#blocks.get(key)?.callers ?? 1 });
  }
}

/** The value as a replay would return it, so that the first run returns the same. */
function jsonOf(key: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  let lost: Loss | undefined;
  let cause: unknown;
  try {
    lost = lossOf(value);
    if (lost === undefined) return JSON.parse(JSON.stringify(value));
  } catch (error) {
    cause = error;
  }
  const { what, path } = lost ?? { what: describeGiven(value), path: "" };
  const where = path === "" ? "" : ` at ${path.replace(/^\./, "")}`;
  throw new TypeError(`Expected the value of once key ${JSON.stringify(key)} to survive JSON, got ${what}${where}`, {
    cause,
  });
}

async function recall({ value, error }: Memo): Promise<unknown> {
  if (error === undefined) return value;
  throw Object.assign(new Error(error.message), { name: error.name });
}

/** Never throws, whatever was thrown: what ran must not run again. */
function describe(error: unknown): { readonly name: string; readonly message: string } {
  try {
    if (error instanceof Error) return { name: String(error.name), message: String(error.message) };
    return { name: "Error", message: String(error) };
  } catch {
    return { name: "Error", message: "Something was thrown that has no message" };
  }
}
