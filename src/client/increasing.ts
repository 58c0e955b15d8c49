import { defer, filter, type MonoTypeOperatorFunction } from "rxjs";
import type { ProgressEvent } from "../events/index.ts";

/**
 * Drops progress that is not finite or does not exceed the last one: the caller sees one increasing line
 * over all rounds of its call, whatever the peer sends. MCP 2026-07-28, basic/patterns/progress.
 */
export function increasing<
  E extends ProgressEvent | { readonly type: "elicitation" | "result" },
>(): MonoTypeOperatorFunction<E> {
  return (source) =>
    defer(() => {
      let last = Number.NEGATIVE_INFINITY;
      return source.pipe(
        filter((event) => {
          if (event.type !== "progress") return true;
          if (!Number.isFinite(event.progress) || event.progress <= last) return false;
          last = event.progress;
          return true;
        }),
      );
    });
}
