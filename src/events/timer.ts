import type { Subscription } from "rxjs";

/** The longest delay that a timer takes, in milliseconds; a longer one fires at once. */
export const maxTimerMs = 2_147_483_647;

/** Checks a delay where it is given: it need not be whole. @throws RangeError */
export function checkDelay(name: string, delayMs: number): void {
  if (delayMs > 0 && delayMs <= maxTimerMs) return;
  throw new RangeError(`Expected \`${name}\` to be greater than 0 and at most ${maxTimerMs}, got ${delayMs}`);
}

/** RxJS keeps a Node timer in the action's `id`; it must not keep the process alive. */
export function unheld(action: Subscription): Subscription {
  const id: unknown = "id" in action ? action.id : undefined;
  if (typeof id === "object" && id !== null && "unref" in id && typeof id.unref === "function") id.unref();
  return action;
}
