import { describe, expect, it } from "vitest";
import { originFault, type Provenance } from "../../src/transports/origin.ts";

const from = (known: Partial<Provenance>): Provenance => ({
  origin: undefined,
  host: "localhost:8080",
  secure: false,
  loopback: true,
  ...known,
});

describe("an origin that is the server's own", () => {
  it.each([
    [false, "http://localhost:8080", "https://localhost:8080"],
    [true, "https://localhost:8080", "http://localhost:8080"],
  ])("has its scheme: over TLS %s, %s and not %s", (secure, own, foreign) => {
    expect(originFault(from({ secure, origin: own }), {})).toBeUndefined();
    expect(originFault(from({ secure, origin: foreign }), {})).toBe("Origin not allowed by `allowedOrigins`");
  });

  it("has an allowed host beyond the loopback", () => {
    const asked = from({ host: "mcp.example", origin: "http://mcp.example", loopback: false });
    expect(originFault(asked, {})).toBe("Origin not allowed by `allowedOrigins`");
    expect(originFault(asked, { allowedHosts: ["MCP.example"] })).toBeUndefined();
    expect(originFault({ ...asked, origin: "http://mcp.example:81" }, { allowedHosts: ["mcp.example"] })).toBe(
      "Origin not allowed by `allowedOrigins`",
    );
  });

  it("is not localhost where the server is reached from elsewhere", () => {
    expect(originFault(from({ origin: "http://localhost:8080", loopback: false }), {})).toBe(
      "Origin not allowed by `allowedOrigins`",
    );
    expect(originFault(from({ loopback: false }), {})).toBeUndefined();
  });
});

it("looks at the address a request arrived on only where that decides", () => {
  const addressless = (known: Partial<Provenance>): Provenance => ({
    ...from(known),
    get loopback(): boolean {
      throw new Error("looked at");
    },
  });
  expect(originFault(addressless({}), {})).toBeUndefined();
  expect(originFault(addressless({ host: "mcp.example" }), { allowedHosts: ["mcp.example"] })).toBeUndefined();
  expect(() => originFault(addressless({ host: "mcp.example" }), {})).toThrow("looked at");
  expect(() => originFault(addressless({ origin: "http://localhost:8080" }), {})).toThrow("looked at");
});
