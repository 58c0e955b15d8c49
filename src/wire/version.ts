import { UNSUPPORTED_PROTOCOL_VERSION } from "./codes.ts";
import type { ErrorBody } from "./json-rpc.ts";

/** The protocol version that our own requests name. */
export const latestVersion = "2026-07-28";

/** The protocol versions that an envelope may name. */
export const supportedVersions: readonly string[] = [latestVersion];

/** The error for a version that is not spoken here, with what `data` the client needs to choose another. */
export function checkVersion(version: string): ErrorBody | undefined {
  if (supportedVersions.includes(version)) return undefined;
  return {
    code: UNSUPPORTED_PROTOCOL_VERSION,
    message: "Unsupported protocol version",
    data: { supported: supportedVersions, requested: version },
  };
}
