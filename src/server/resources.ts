import { z } from "zod";
import { McpError } from "../errors.ts";
import type { ClientCapabilities, TerminalEvent } from "../events/index.ts";
import { INVALID_PARAMS } from "../wire/index.ts";
import { type Asking, createAsking } from "./asking.ts";
import type { CacheHint } from "./cache.ts";
import type { Call } from "./call.ts";
import { RequestContext } from "./context.ts";
import { invoke, type Job } from "./invoke.ts";
import type { Method, Parts } from "./method.ts";
import { resourceResult } from "./outcome.ts";
import { readParams } from "./parse.ts";
import type { FoundResource } from "./registry.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Asker } from "./rounds.ts";

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
      start: (call) => invoke(call, new ReadJob(found, uri, call, parts), parts.settings),
    };
  };
}

class ReadJob implements Job, Asker {
  readonly call: Call;
  readonly parts: Parts;
  /** Its URI. */
  readonly target: string;
  readonly asking: Asking;
  readonly #found: FoundResource;

  constructor(found: FoundResource, uri: string, call: Call, parts: Parts) {
    this.call = call;
    this.parts = parts;
    this.target = uri;
    this.#found = found;
    this.asking = createAsking(this);
  }

  get requires(): ClientCapabilities | undefined {
    return this.#found.definition.requires;
  }

  get timeoutMs(): number | undefined {
    return this.#found.definition.timeoutMs;
  }

  run(): unknown {
    const { definition, variables } = this.#found;
    return definition.read(this.target, variables, new RequestContext(this));
  }

  succeed(value: unknown): TerminalEvent {
    const { definition } = this.#found;
    const { answer, settings } = this.parts;
    return answer({
      ...resourceResult(value, this.target, definition.mimeType),
      ...cacheHint(definition, this.call.request.params, settings.cache),
    });
  }

  fail(error: unknown): TerminalEvent {
    return this.parts.refuse(error, this.call.request.method);
  }
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
