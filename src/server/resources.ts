import { z } from "zod";
import { McpError } from "../errors.ts";
import { INVALID_PARAMS } from "../wire/index.ts";
import { createAsking } from "./asking.ts";
import type { CacheHint } from "./cache.ts";
import type { Call } from "./call.ts";
import { RequestContext } from "./context.ts";
import { invoke, type Job } from "./invoke.ts";
import type { Method, Parts } from "./method.ts";
import { resourceResult } from "./outcome.ts";
import { readParams } from "./parse.ts";
import type { FoundResource } from "./registry.ts";
import type { ResourceDefinition } from "./resource.ts";

const readResourceParams = z.looseObject({ uri: z.string() });

/** `resources/read`. MCP 2026-07-28, server/resources. */
export function readResource(parts: Parts): Method {
  return ({ params }) => {
    const { uri } = readParams(readResourceParams, params);
    const found = parts.registry.findResource(uri);
    if (found === undefined) throw new McpError(INVALID_PARAMS, "Resource not found", { uri });
    return {
      handlerName: uri,
      limits: found.definition,
      start: (call) => invoke(call, readJob(found, uri, call, parts), parts.settings),
    };
  };
}

function readJob({ definition, variables }: FoundResource, uri: string, call: Call, parts: Parts): Job {
  const { answer, refuse, settings } = parts;
  const asking = createAsking({
    call,
    binding: { target: uri, arguments: undefined },
    requires: definition.requires,
    parts,
  });
  return {
    asking,
    timeoutMs: definition.timeoutMs,
    run: () => definition.read(uri, variables, new RequestContext(call, uri, asking)),
    succeed: (value) =>
      answer({
        ...resourceResult(value, uri, definition.mimeType),
        ...cacheHint(definition, call.request.params, settings.cache),
      }),
    fail: (error) => refuse(error, call.request.method),
  };
}

/** The answer to a retry depends on more than its cache key holds. MCP 2026-07-28, server/utilities/caching. */
function cacheHint(
  { ttlMs, cacheScope }: ResourceDefinition,
  params: Readonly<Record<string, unknown>>,
  server: Required<CacheHint>,
): CacheHint {
  const isRetry = params.inputResponses !== undefined || params.requestState !== undefined;
  if (isRetry) return { ttlMs: 0, cacheScope: "private" };
  return { ttlMs: ttlMs ?? server.ttlMs, cacheScope: cacheScope ?? server.cacheScope };
}
