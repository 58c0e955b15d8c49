import type { MonoTypeOperatorFunction } from "rxjs";
import { isTerminal, type RequestEvent } from "./event.ts";
import { inOrder } from "./order.ts";

/** Delivers in order and completes right after the first terminal event: nothing follows it. */
export function untilTerminal(): MonoTypeOperatorFunction<RequestEvent> {
  return inOrder(isTerminal);
}
