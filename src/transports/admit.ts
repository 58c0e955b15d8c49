import {
  checkVersion,
  type Envelope,
  type ErrorBody,
  legacyVersions,
  readEnvelope,
  readInitialize,
  readLegacyMeta,
} from "../wire/index.ts";
import { isModernVersion, type LegacyClient, type LegacyPolicy, modernOnly, modernTerms, type Terms } from "./era.ts";

/** A request as it was decoded. */
interface Incoming {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface AdmitOptions {
  readonly legacy: LegacyPolicy;
  /** Who has shaken hands on this connection or in this session. */
  readonly client: LegacyClient | undefined;
  /** The revisions with a handshake that this carrier serves, newest first. @default all of them */
  readonly versions?: readonly string[];
  /** The `MCP-Protocol-Version` header, where there is one. */
  readonly versionHeader?: string | undefined;
  /** What the carrier checks of a modern request beside its envelope. */
  readonly check?: (envelope: Envelope) => ErrorBody | undefined;
}

export type Admission =
  | { readonly type: "admitted"; readonly terms: Terms }
  | { readonly type: "refused"; readonly era: Terms["era"]; readonly error: ErrorBody }
  /** It has no envelope, and nobody has shaken hands. */
  | { readonly type: "stranger"; readonly error: ErrorBody };

/**
 * Decides by whose rules a request is served, and checks what every carrier checks before its method is
 * looked at. An envelope makes it modern, whatever came before and whatever the method.
 */
export function admit(request: Incoming, options: AdmitOptions): Admission {
  const { legacy, versionHeader, check } = options;
  const reading = readEnvelope(request.params);
  if (reading.type === "envelope") return admitModern(reading.envelope, check);
  if (reading.type === "invalid" || isModernVersion(versionHeader)) return refused("modern", reading.error);
  if (legacy === "serve") return admitLegacy(request, options, reading.error);
  return refused("modern", request.method === "initialize" ? modernOnly() : reading.error);
}

function admitModern(envelope: Envelope, check: AdmitOptions["check"]): Admission {
  const error = check?.(envelope) ?? checkVersion(envelope.protocolVersion);
  return error === undefined ? { type: "admitted", terms: modernTerms(envelope) } : refused("modern", error);
}

function admitLegacy({ method, params }: Incoming, { client, versions }: AdmitOptions, absent: ErrorBody): Admission {
  const known = method === "initialize" ? introduce(params, versions) : client;
  if (known === undefined) return { type: "stranger", error: absent };
  if ("error" in known) return refused("legacy", known.error);
  const meta = readLegacyMeta(params);
  if (meta.type === "invalid") return refused("legacy", meta.error);
  return { type: "admitted", terms: { era: "legacy", ...known, progressToken: meta.progressToken } };
}

/** A revision that is not served here is answered with one that is; the client may leave then. */
function introduce(
  params: Incoming["params"],
  versions = legacyVersions,
): LegacyClient | { readonly error: ErrorBody } {
  const reading = readInitialize(params);
  if (reading.type === "invalid") return { error: reading.error };
  const { protocolVersion: agreed, clientInfo: info, capabilities } = reading;
  const protocolVersion = versions.includes(agreed) ? agreed : (versions[0] ?? agreed);
  return { protocolVersion, client: { info, capabilities } };
}

function refused(era: Terms["era"], error: ErrorBody): Admission {
  return { type: "refused", era, error };
}
