import type { Exchange } from "../events/index.ts";
import {
  checkVersion,
  type Envelope,
  type ErrorBody,
  INVALID_PARAMS,
  readEnvelope,
  supportedVersions,
} from "../wire/index.ts";

/** A request as it was decoded. */
interface Incoming {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type Admission =
  | { readonly type: "admitted"; readonly envelope: Envelope }
  | { readonly type: "refused"; readonly error: ErrorBody };

/**
 * Checks what every carrier checks before a method is looked at: the envelope, then what the carrier adds,
 * then the version.
 */
export function admit(
  request: Incoming,
  check: (envelope: Envelope) => ErrorBody | undefined = () => undefined,
): Admission {
  const reading = readEnvelope(request.params);
  if (reading.type === "absent" && request.method === "initialize") return { type: "refused", error: modernOnly() };
  if (reading.type !== "envelope") return { type: "refused", error: reading.error };
  const { envelope } = reading;
  const error = check(envelope) ?? checkVersion(envelope.protocolVersion);
  return error === undefined ? { type: "admitted", envelope } : { type: "refused", error };
}

/** What the handler is told of the client; the rest of an exchange is the carrier's. */
export function exchangeOf(envelope: Envelope): Pick<Exchange, "era" | "protocolVersion" | "client"> {
  return {
    era: "modern",
    protocolVersion: envelope.protocolVersion,
    client: { info: envelope.clientInfo, capabilities: envelope.capabilities },
  };
}

/** Clients of earlier revisions have nothing but this message to show. MCP 2026-07-28, basic/versioning. */
function modernOnly(): ErrorBody {
  return {
    code: INVALID_PARAMS,
    message: `This server speaks MCP ${supportedVersions.join(", ")} only, which has no initialize handshake`,
    data: { supported: supportedVersions },
  };
}
