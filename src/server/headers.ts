import { McpError } from "../errors.ts";
import type { Exchange } from "../events/index.ts";
import { decodeHeaderValue, HEADER_MISMATCH } from "../wire/index.ts";
import type { HeaderParameter } from "./parameter.ts";

/**
 * Compares mirrored arguments with their headers, where there are headers: what routes a request must be
 * what it is served with. MCP 2026-07-28, basic/transports/streamable-http, Server Validation.
 * @throws McpError with -32020
 */
export function checkHeaders(parameters: readonly HeaderParameter[], args: object, exchange: Exchange): void {
  if (parameters.length === 0 || exchange.era !== "modern" || exchange.header("mcp-method") === undefined) return;
  for (const { header: name, path } of parameters) {
    const sent = exchange.header(name);
    const value = valueAt(args, path);
    if (value === undefined || value === null) {
      if (sent !== undefined) throw mismatch(`${name} has no argument \`${path.join(".")}\` to match`);
      continue;
    }
    // Arguments of another type fail their schema next, which says more than a header could.
    if (typeof value === "object") continue;
    if (sent === undefined) throw mismatch(`${name} is missing`);
    const decoded = decodeHeaderValue(sent);
    if (decoded === undefined) throw mismatch(`${name} is malformed`);
    if (!matches(decoded, value)) throw mismatch(`${name} does not match argument \`${path.join(".")}\``);
  }
}

function matches(decoded: string, value: unknown): boolean {
  if (typeof value !== "number") return decoded === String(value);
  return /^-?\d+(\.\d+)?$/.test(decoded) && Number(decoded) === value;
}

function valueAt(args: object, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

function mismatch(reason: string): McpError {
  return new McpError(HEADER_MISMATCH, `Header mismatch: ${reason}`);
}
