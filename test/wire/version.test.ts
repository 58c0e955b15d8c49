import { expect, it } from "vitest";
import { checkVersion, supportedVersions, UNSUPPORTED_PROTOCOL_VERSION } from "../../src/wire/index.ts";

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
