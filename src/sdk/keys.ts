import type { StateKey } from "../mrtr/index.ts";
import type { RequestStateOptions } from "../server/index.ts";

let ownKey: StateKey | undefined;

/**
 * The key ring that was given, else one key for the whole process: a server of the SDK may live for one
 * request only, and the next one has to open what it sealed.
 */
export function keysOf({ keys }: RequestStateOptions): readonly StateKey[] {
  if (keys !== undefined) return keys;
  ownKey ??= { id: "process", secret: crypto.getRandomValues(new Uint8Array(32)) };
  return [ownKey];
}
