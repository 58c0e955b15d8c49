import { expect, it } from "vitest";
import {
  checkVersion,
  latestVersion,
  legacyVersions,
  negotiateVersion,
  supportedVersions,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "../../src/wire/index.ts";

it("speaks 2026-07-28", () => {
  expect(supportedVersions).toEqual(["2026-07-28"]);
  expect(checkVersion("2026-07-28")).toBeUndefined();
});

it.each(["1900-01-01", "", "2026-07-28 ", "2025-11-25"])("tells what it speaks instead of %j", (requested) => {
  expect(checkVersion(requested)).toStrictEqual({
    code: UNSUPPORTED_PROTOCOL_VERSION,
    message: "Unsupported protocol version",
    data: { supported: ["2026-07-28"], requested },
  });
});

it("can agree on four older versions, and tells them newest first", () => {
  expect(legacyVersions).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
  expect(legacyVersions.map(negotiateVersion)).toEqual(legacyVersions);
});

it.each([latestVersion, "2027-01-01", "1900-01-01", "", "2025-11-25 "])(
  "answers `initialize` with the newest version that has one when asked for %j",
  (requested) => {
    expect(negotiateVersion(requested)).toBe("2025-11-25");
  },
);
