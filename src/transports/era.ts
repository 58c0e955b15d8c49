import type { Exchange, ProgressToken } from "../events/index.ts";
import { type Envelope, type ErrorBody, INVALID_PARAMS, legacyVersions, supportedVersions } from "../wire/index.ts";

/** Whether clients of the 2025 revisions, which begin with `initialize`, are served or refused. */
export type LegacyPolicy = "serve" | "reject";

/** Who sent a request and by which revision it is served: its envelope says so, or the handshake before it. */
export interface Terms extends Pick<Exchange, "era" | "protocolVersion" | "client"> {
  readonly progressToken?: ProgressToken | undefined;
}

/** What a connection or a session remembers of its handshake. */
export type LegacyClient = Pick<Terms, "protocolVersion" | "client">;

/** HTTP with 2024-11-05 was another transport. */
export const httpVersions: readonly string[] = legacyVersions.filter((version) => version !== "2024-11-05");

/** @throws TypeError */
export function checkLegacy(legacy: LegacyPolicy = "serve"): LegacyPolicy {
  if (legacy === "serve" || legacy === "reject") return legacy;
  throw new TypeError(`Expected \`legacy\` to be "serve" or "reject", got ${String(legacy)}`);
}

export function modernTerms({ protocolVersion, clientInfo, capabilities, progressToken }: Envelope): Terms {
  return { era: "modern", protocolVersion, client: { info: clientInfo, capabilities }, progressToken };
}

/** Whether this is what a modern client puts into its `MCP-Protocol-Version` header. */
export function isModernVersion(version: string | undefined): boolean {
  return version !== undefined && supportedVersions.includes(version);
}

/** Clients of earlier revisions have nothing but this message to show. MCP 2026-07-28, basic/versioning. */
export function modernOnly(): ErrorBody {
  return {
    code: INVALID_PARAMS,
    message: `This server speaks MCP ${supportedVersions.join(", ")} only, which has no initialize handshake`,
    data: { supported: supportedVersions },
  };
}
