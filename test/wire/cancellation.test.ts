import { expect, it } from "vitest";
import { readCancellation } from "../../src/wire/index.ts";

it.each([0, "", 1, "1"])("cancels the request %j", (requestId) => {
  expect(readCancellation({ requestId })).toStrictEqual({ requestId });
});

it("may have a reason", () => {
  expect(readCancellation({ requestId: 1, reason: "", _meta: {} })).toStrictEqual({ requestId: 1, reason: "" });
});

it.each([
  {},
  { requestId: null },
  { requestId: 1.5 },
  { requestId: {} },
  { requestId: 2 ** 53 },
  { requestId: 1, reason: 5 },
  { requestId: 1, reason: null },
])("is malformed as %j", (params) => {
  expect(readCancellation(params)).toBeUndefined();
});
