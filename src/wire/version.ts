import { UNSUPPORTED_PROTOCOL_VERSION } from "./codes.ts";
import type { ErrorBody } from "./json-rpc.ts";

/** The protocol version that our own requests name. */
export const latestVersion = "2026-07-28";

/** The protocol versions that an envelope may name. */
export const supportedVersions: readonly string[] = [latestVersion];

/** The newest protocol version that `initialize` may agree on. */
const latestLegacyVersion = "2025-11-25";

/** The protocol versions that `initialize` may agree on, newest first. */
export const legacyVersions: readonly string[] = [latestLegacyVersion, "2025-06-18", "2025-03-26", "2024-11-05"];

/** The error for a version that is not spoken here, with what `data` the client needs to choose another. */
export function checkVersion(version: string): ErrorBody | undefined {
  if (supportedVersions.includes(version)) return undefined;
  return {
    code: UNSUPPORTED_PROTOCOL_VERSION,
    message: "Unsupported protocol version",
    data: { supported: supportedVersions, requested: version },
  };
}

/**
 * The version that answers the one in `initialize`: the same if it is spoken here, else the newest that has
 * an `initialize`, which a client may refuse. MCP 2025-11-25, basic/lifecycle, Version Negotiation.
 */
export function negotiateVersion(requested: string): string {
  return legacyVersions.includes(requested) ? requested : latestLegacyVersion;
}
