import { decodeHeaderValue, type Envelope, type ErrorBody, HEADER_MISMATCH } from "../wire/index.ts";

/** The parts of a request that its headers repeat. */
interface Mirrored {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Which member of `params` the `Mcp-Name` header repeats. */
const named: ReadonlyMap<string, "name" | "uri"> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/**
 * What is wrong with the headers that repeat a request's body, if anything. `rawHeaders` is Node's flat list
 * of names and values: one that came twice has no single value.
 * MCP 2026-07-28, basic/transports/streamable-http, server validation.
 */
export function mirrorFault(
  { method, params }: Mirrored,
  { protocolVersion }: Envelope,
  rawHeaders: readonly string[],
): ErrorBody | undefined {
  const member = named.get(method);
  return (
    fault("MCP-Protocol-Version", protocolVersion, rawHeaders, asIs) ??
    fault("Mcp-Method", method, rawHeaders, asIs) ??
    (member === undefined ? undefined : fault("Mcp-Name", params[member], rawHeaders, decodeHeaderValue))
  );
}

function fault(
  name: string,
  expected: unknown,
  rawHeaders: readonly string[],
  decode: (value: string) => string | undefined,
): ErrorBody | undefined {
  const [value, ...others] = valuesOf(name, rawHeaders);
  if (value === undefined) return mismatch(`Expected the ${name} header`);
  if (others.length > 0) return mismatch(`Expected the ${name} header once`);
  const decoded = decode(value);
  if (decoded === undefined) return mismatch(`The ${name} header has invalid characters`);
  return decoded === expected ? undefined : mismatch(`The ${name} header differs from the body`);
}

function valuesOf(name: string, rawHeaders: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length !== wanted.length || header.toLowerCase() !== wanted) continue;
    values.push(rawHeaders[at + 1] ?? "");
  }
  return values;
}

function asIs(value: string): string {
  return value;
}

function mismatch(message: string): ErrorBody {
  return { code: HEADER_MISMATCH, message };
}
