import { z } from "zod";
import type { ClientCapabilities, Implementation, ProgressToken } from "../events/index.ts";
import { clientCapabilities, clientInfo, progressToken } from "./client.ts";
import { INVALID_PARAMS } from "./codes.ts";
import { printJson } from "./encode.ts";
import { formatIssues } from "./issues.ts";
import type { ErrorBody } from "./json-rpc.ts";
import { negotiateVersion } from "./version.ts";

interface Invalid {
  readonly type: "invalid";
  readonly error: ErrorBody;
}

/** What the params of `initialize` say. */
export type InitializeReading =
  | {
      readonly type: "initialize";
      /** The negotiated one, which all that follows is served by. */
      readonly protocolVersion: string;
      readonly clientInfo?: Implementation;
      /** As the client sent them, unknown keys included. */
      readonly capabilities: ClientCapabilities;
    }
  | Invalid;

/** What the `_meta` of a request without an envelope says. */
export type LegacyMetaReading =
  | {
      readonly type: "meta";
      /** Absent when the client wants no progress. */
      readonly progressToken?: ProgressToken;
    }
  | Invalid;

/** A connection or session keeps what was said in its handshake, so it must be small, in characters of JSON. */
const maxRemembered = 16_384;

const initializeSchema = z.looseObject({
  protocolVersion: z.string(),
  capabilities: clientCapabilities,
  // The revisions demand it, but nothing here depends on it.
  clientInfo: clientInfo.optional(),
});
const metaSchema = z.looseObject({ _meta: z.looseObject({ progressToken: progressToken.optional() }).optional() });

/** Reads the params of `initialize` and settles the version. MCP 2025-11-25, basic/lifecycle, Initialization. */
export function readInitialize(params: Readonly<Record<string, unknown>>): InitializeReading {
  const { error } = initializeSchema.safeParse(params);
  if (error !== undefined) return invalid(error);
  const { capabilities, clientInfo: info } = params;
  if (printJson({ capabilities, info }).length > maxRemembered) {
    const message = `Invalid params: Expected \`capabilities\` and \`clientInfo\` of at most ${maxRemembered} characters`;
    return { type: "invalid", error: { code: INVALID_PARAMS, message } };
  }
  // What was sent, and not zod's copy: `__proto__` is a key like any other there.
  const sent = params as z.output<typeof initializeSchema>;
  return {
    type: "initialize",
    protocolVersion: negotiateVersion(sent.protocolVersion),
    capabilities: sent.capabilities,
    ...(sent.clientInfo !== undefined && { clientInfo: sent.clientInfo }),
  };
}

/** Reads what a request of the 2025 revisions says of itself. MCP 2025-11-25, basic/utilities/progress. */
export function readLegacyMeta(params: Readonly<Record<string, unknown>>): LegacyMetaReading {
  const { error, data } = metaSchema.safeParse(params);
  if (error !== undefined) return invalid(error);
  const token = data._meta?.progressToken;
  return { type: "meta", ...(token !== undefined && { progressToken: token }) };
}

function invalid(error: z.ZodError): Invalid {
  return { type: "invalid", error: { code: INVALID_PARAMS, message: `Invalid params: ${formatIssues(error)}` } };
}
