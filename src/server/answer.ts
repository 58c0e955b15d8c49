import type { Implementation, Result, ResultEvent } from "../events/index.ts";
import { metaKeys } from "../wire/index.ts";

/** Completes a result with what every modern one carries. MCP 2026-07-28, basic/index, Result. */
export type Answer = (result: Result) => ResultEvent;

export function createAnswer(identity: Implementation): Answer {
  return (result) => ({
    type: "result",
    result: {
      ...result,
      resultType: "complete",
      _meta: { ...(result._meta as object | undefined), [metaKeys.serverInfo]: identity },
    },
  });
}
