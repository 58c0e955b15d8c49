import { isObject } from "../wire/index.ts";
import type { JsonSchema } from "./schema.ts";

/** An argument that clients mirror into an HTTP header. MCP 2026-07-28, server/tools, x-mcp-header. */
export interface HeaderParameter {
  /** `Mcp-Param-…` */
  readonly header: string;
  /** The chain of property names that leads to the argument. */
  readonly path: readonly string[];
}

const annotation = "x-mcp-header";
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirrored: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords whose value is a schema or a list of schemas, and those whose value is a record of schemas. */
const nested = "items prefixItems contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties \
anyOf oneOf allOf not if then else".split(" ");
const named = ["patternProperties", "dependentSchemas", "$defs", "definitions"];

/**
 * Finds the arguments that are marked with `.meta({ "x-mcp-header": … })`.
 * @throws TypeError when a mark breaks the specification's constraints; clients would drop such a tool.
 */
export function headerParameters(schema: JsonSchema): readonly HeaderParameter[] {
  const found = reachable(schema, []);
  const seen = new Set<string>();
  for (const { header } of found) {
    const key = header.toLowerCase();
    if (seen.has(key)) throw new TypeError(`Expected ${annotation} values to differ, got "${header}" twice`);
    seen.add(key);
  }
  return found;
}

function reachable(schema: JsonSchema, path: readonly string[]): readonly HeaderParameter[] {
  const own = annotation in schema ? [parameter(schema, path)] : [];
  refuseElsewhere(schema, path);
  return [...own, ...members(schema.properties).flatMap(([key, child]) => reachable(child, [...path, key]))];
}

function parameter(schema: JsonSchema, path: readonly string[]): HeaderParameter {
  const value = schema[annotation];
  if (typeof value !== "string" || !token.test(value)) {
    throw new TypeError(`Expected ${annotation} of ${at(path)} to be an HTTP token, got ${JSON.stringify(value)}`);
  }
  const types = [schema.type].flat().filter((type) => type !== "null");
  if (types.length !== 1 || !mirrored.has(types[0])) {
    const got = types.filter((type) => type !== undefined).join(" or ") || "no type";
    throw new TypeError(`Expected ${at(path)} with ${annotation} to be a string, an integer or a boolean, got ${got}`);
  }
  return { header: `Mcp-Param-${value}`, path };
}

/** The mark may stand at the end of a chain of `properties` only. */
function refuseElsewhere(schema: JsonSchema, path: readonly string[]): void {
  const children = [
    ...nested.flatMap((keyword) => [schema[keyword]].flat()),
    ...named.flatMap((keyword) => members(schema[keyword]).map(([, child]) => child)),
  ];
  for (const child of children) if (isObject(child)) refuseAnywhere(child, path);
}

function refuseAnywhere(schema: JsonSchema, path: readonly string[]): void {
  if (annotation in schema) {
    throw new TypeError(
      `Expected ${annotation} only on properties that are reached through objects, got one inside ${at(path)}`,
    );
  }
  refuseElsewhere(schema, path);
  for (const [key, child] of members(schema.properties)) refuseAnywhere(child, [...path, key]);
}

function members(value: unknown): [string, JsonSchema][] {
  return isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, JsonSchema] => isObject(entry[1]))
    : [];
}

function at(path: readonly string[]): string {
  return path.length === 0 ? "the schema" : `\`${path.join(".")}\``;
}
