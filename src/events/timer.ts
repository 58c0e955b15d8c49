import type { Subscription } from "rxjs";

/** The longest delay that a timer takes, in milliseconds; a longer one fires at once. */
export const maxTimerMs = 2_147_483_647;

/** RxJS keeps a Node timer in the action's `id`; it must not keep the process alive. */
export function unheld(action: Subscription): Subscription {
  const id: unknown = "id" in action ? action.id : undefined;
  if (typeof id === "object" && id !== null && "unref" in id && typeof id.unref === "function") id.unref();
  return action;
}
