import { z } from "zod";
import type { ClientCapabilities, Implementation, ProgressToken } from "../events/index.ts";
import { clientCapabilities, clientInfo, progressToken } from "./client.ts";
import { INVALID_PARAMS } from "./codes.ts";
import { isObject } from "./identifier.ts";
import { formatIssues } from "./issues.ts";
import type { ErrorBody } from "./json-rpc.ts";

/** The keys of `_meta` that MCP 2026-07-28 reserves, basic/index, `_meta`. */
export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  serverInfo: "io.modelcontextprotocol/serverInfo",
} as const;

/** What a modern request says of itself in `_meta`. */
export interface Envelope {
  /** Any string: `checkVersion` decides whether it is spoken here. */
  readonly protocolVersion: string;
  readonly clientInfo?: Implementation | undefined;
  /** As the client sent them, unknown keys included. */
  readonly capabilities: ClientCapabilities;
  /** Absent when the client wants no progress. */
  readonly progressToken?: ProgressToken | undefined;
}

/** `absent`: there is no protocol version in `_meta`, so the request is not a modern one. */
export type EnvelopeReading =
  | { readonly type: "envelope"; readonly envelope: Envelope }
  | { readonly type: "absent"; readonly error: ErrorBody }
  | { readonly type: "invalid"; readonly error: ErrorBody };

const envelopeSchema = z.looseObject({
  [metaKeys.protocolVersion]: z.string(),
  [metaKeys.clientInfo]: clientInfo.optional(),
  [metaKeys.clientCapabilities]: clientCapabilities,
  progressToken: progressToken.optional(),
});
type Meta = z.output<typeof envelopeSchema>;

/** Whether a request says that it is a modern one, well or badly. */
export function hasEnvelope({ _meta: meta }: Readonly<Record<string, unknown>>): boolean {
  return isObject(meta) && meta[metaKeys.protocolVersion] !== undefined;
}

/** Reads what a modern request says of itself. */
export function readEnvelope(params: Readonly<Record<string, unknown>>): EnvelopeReading {
  const meta = params._meta;
  if (!hasEnvelope(params)) {
    return { type: "absent", error: malformed(`Expected \`_meta\` to have \`${metaKeys.protocolVersion}\``) };
  }
  const checked = envelopeSchema.safeParse(meta);
  if (!checked.success) return { type: "invalid", error: malformed(`Invalid _meta: ${formatIssues(checked.error)}`) };
  return { type: "envelope", envelope: envelopeOf(meta as Meta) };
}

/** What a modern request says of itself, as `_meta`: the reverse of `readEnvelope`. */
export function encodeEnvelope(envelope: Envelope): Readonly<Record<string, unknown>> {
  const { protocolVersion, clientInfo: info, capabilities, progressToken: token } = envelope;
  return {
    [metaKeys.protocolVersion]: protocolVersion,
    ...(info !== undefined && { [metaKeys.clientInfo]: info }),
    [metaKeys.clientCapabilities]: capabilities,
    ...(token !== undefined && { progressToken: token }),
  };
}

/** Takes the values from what was sent and not from zod's copy: `__proto__` is a key like any other there. */
function envelopeOf(meta: Meta): Envelope {
  const info = meta[metaKeys.clientInfo];
  return {
    protocolVersion: meta[metaKeys.protocolVersion],
    capabilities: meta[metaKeys.clientCapabilities],
    ...(info !== undefined && { clientInfo: info }),
    ...(meta.progressToken !== undefined && { progressToken: meta.progressToken }),
  };
}

function malformed(message: string): ErrorBody {
  return { code: INVALID_PARAMS, message };
}
