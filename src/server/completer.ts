import { describeGiven } from "../errors.ts";
import { checkFunction } from "./check.ts";
import type { Awaitable } from "./handler.ts";

/** What a completer may know besides the text so far. It can neither report nor ask. */
export interface CompletionContext {
  /** The other arguments that the user has filled in. */
  readonly arguments: Readonly<Record<string, string>>;
  /** What the carrier's `authenticate` returned; `undefined` without it. */
  readonly principal: unknown;
}

/** Suggests values for an argument, best first. At most 100 of them are sent. */
export type Completer = (value: string, context: CompletionContext) => Awaitable<readonly string[]>;

/** @throws TypeError for a completer of an argument that does not exist, or that is no function. */
export function readCompleters(
  completers: Readonly<Record<string, Completer | undefined>> | undefined,
  names: readonly string[],
): ReadonlyMap<string, Completer> {
  const read = new Map<string, Completer>();
  for (const [name, completer] of Object.entries(completers ?? {})) {
    if (completer === undefined) continue;
    if (!names.includes(name)) {
      throw new TypeError(
        `Expected \`complete\` to name arguments (${names.join(", ") || "none"}), got ${describeGiven(name)}`,
      );
    }
    checkFunction(`complete.${name}`, completer);
    read.set(name, completer);
  }
  return read;
}
