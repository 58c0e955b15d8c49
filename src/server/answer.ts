import type { Implementation, Result, ResultEvent } from "../events/index.ts";
import { metaKeys, toErrorBody } from "../wire/index.ts";
import type { Shapes } from "./method.ts";

/** Completes a result with what every modern one carries. MCP 2026-07-28, basic/index, Result. */
export type Answer = (result: Result) => ResultEvent;

/** How the modern era shapes what is common to all. */
export function modernShapes(identity: Implementation): Shapes {
  return {
    answer: createAnswer(identity),
    refuse: (error) => ({ type: "error", error: toErrorBody(error) }),
    listTool: (listing) => listing,
  };
}

function createAnswer(identity: Implementation): Answer {
  return (result) => ({
    type: "result",
    result: {
      ...result,
      resultType: "complete",
      _meta: { ...(result._meta as object | undefined), [metaKeys.serverInfo]: identity },
    },
  });
}
