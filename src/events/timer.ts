import type { Subscription } from "rxjs";
import { describeGiven } from "../errors.ts";

/** The longest delay that a timer takes, in milliseconds; a longer one fires at once. */
export const maxTimerMs = 2_147_483_647;

interface DelayOptions {
  /** @default false */
  readonly mayBeZero?: boolean;
}

/** Checks a delay where it is given: it need not be whole. @throws RangeError */
export function checkDelay(name: string, delayMs: number, { mayBeZero = false }: DelayOptions = {}): void {
  const isDelay = typeof delayMs === "number" && delayMs <= maxTimerMs;
  if (isDelay && (delayMs > 0 || (mayBeZero && delayMs === 0))) return;
  const least = mayBeZero ? "at least 0" : "greater than 0";
  throw new RangeError(`Expected \`${name}\` to be ${least} and at most ${maxTimerMs}, got ${describeGiven(delayMs)}`);
}

/** RxJS keeps a Node timer in the action's `id`; it must not keep the process alive. */
export function unheld(action: Subscription): Subscription {
  const id: unknown = "id" in action ? action.id : undefined;
  if (typeof id === "object" && id !== null && "unref" in id && typeof id.unref === "function") id.unref();
  return action;
}
