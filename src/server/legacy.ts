import { attempt } from "../errors.ts";
import type { ErrorEvent, Result } from "../events/index.ts";
import {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  metaKeys,
  RESOURCE_NOT_FOUND_2025,
  toErrorBody,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "../wire/index.ts";
import { capabilitiesOf } from "./discover.ts";
import type { Method, Parts, Shapes } from "./method.ts";

/** The revision that brought structured content. */
const structured = "2025-06-18";
/** Codes that only the modern era defines. */
const modern: ReadonlySet<number> = new Set([
  HEADER_MISMATCH,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
]);

type Json = Readonly<Record<string, unknown>>;

/** How a 2025 revision shapes what is common to all: without types, hints on caching and the server's identity. */
export function legacyShapes(version: string): Shapes {
  return {
    answer: (result) => ({ type: "result", result: legacyResult(version, result) }),
    refuse: (error, method) => legacyError(error, method),
    listTool: (listing) => legacyTool(version, listing),
  };
}

/** `initialize`. The carrier has settled the version. MCP 2025-11-25, basic/lifecycle, Initialization. */
export function initialize({ registry, identity, answer }: Parts, instructions: string | undefined): Method {
  const { resources, ...capabilities } = capabilitiesOf(registry);
  return (_request, { protocolVersion }) => {
    const event = answer({
      protocolVersion,
      // Updates are for `subscriptions/listen` alone.
      capabilities: { ...capabilities, ...(resources !== undefined && { resources: {} }) },
      serverInfo: identity,
      ...(instructions !== undefined && { instructions }),
    });
    return { start: (call) => call.end(event) };
  };
}

/** `ping`. MCP 2025-11-25, basic/utilities/ping. */
export function ping({ answer }: Parts): Method {
  const event = answer({});
  return () => ({ start: (call) => call.end(event) });
}

function legacyResult(version: string, result: Result): Result {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, structuredContent, _meta, ...rest } = result;
  const meta = Object.entries((_meta ?? {}) as Json).filter(([key]) => key !== metaKeys.serverInfo);
  return {
    ...rest,
    ...(version >= structured && printsAsObject(structuredContent) && { structuredContent }),
    ...(meta.length > 0 && { _meta: Object.fromEntries(meta) }),
  };
}

/** Structured content is an object, and so is what `outputSchema` describes. MCP 2025-11-25, server/tools. */
function legacyTool(version: string, { outputSchema, ...listing }: Json): Json {
  const isKnown = version >= structured && (outputSchema as Json | undefined)?.type === "object";
  return isKnown ? { ...listing, outputSchema } : listing;
}

function printsAsObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !("toJSON" in value) || JSON.stringify(value)?.startsWith("{");
}

function legacyError(error: unknown, method: string): ErrorEvent {
  const body = toErrorBody(error);
  return { type: "error", error: { ...body, code: legacyCode(body, method) } };
}

function legacyCode({ code, data }: ErrorEvent["error"], method: string): number {
  if (modern.has(code)) return INTERNAL_ERROR;
  const uri = attempt(() => (data as Json | undefined)?.uri);
  const isUnknown = method === "resources/read" && code === INVALID_PARAMS && typeof uri === "string";
  return isUnknown ? RESOURCE_NOT_FOUND_2025 : code;
}
