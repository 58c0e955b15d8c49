import { z } from "zod";
import { describeGiven, describeThrown } from "../errors.ts";

/** A JSON Schema in draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Checks that `schema` is a zod schema; a plain record of schemas, or one of zod 3, is a common slip. */
function checkSchema(name: string, schema: unknown): void {
  const isObject = typeof schema === "object" && schema !== null;
  if (isObject && "_zod" in schema) return;
  const got = isObject && "_def" in schema ? "one of zod 3" : describeGiven(schema);
  throw new TypeError(`Expected \`${name}\` to be a schema of zod 4, such as z.object({ … }), got ${got}`);
}

/**
 * What a client is told of arguments.
 * @throws TypeError when the schema has no JSON form, or takes anything but objects.
 */
export function inputJsonSchema(name: string, schema: z.ZodType): JsonSchema {
  const converted = convert(name, schema, "input");
  if (converted.type === "object") return converted;
  if (!takesObjects(converted)) {
    throw new TypeError(`Expected \`${name}\` to describe an object, got ${String(converted.type ?? "any value")}`);
  }
  const { $schema, ...rest } = converted;
  return { $schema, type: "object", ...rest };
}

/** What a client is told of structured content. */
export function outputJsonSchema(name: string, schema: z.ZodType): JsonSchema {
  return convert(name, schema, "output");
}

function convert(name: string, schema: z.ZodType, io: "input" | "output"): JsonSchema {
  checkSchema(name, schema);
  try {
    // What zod adds for its own use, the standard interface, must not be listed.
    return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { target: "draft-2020-12", io })));
  } catch (cause) {
    throw new TypeError(`Expected \`${name}\` to be convertible to JSON Schema: ${describeThrown(cause)}`, { cause });
  }
}

/** A union of objects, or an intersection with one, has no type of its own. */
function takesObjects({ type, anyOf, oneOf, allOf }: JsonSchema): boolean {
  if (type === "object") return true;
  const all = [anyOf, oneOf].find((branches) => Array.isArray(branches));
  if (Array.isArray(all)) return all.every(takesObjects);
  return Array.isArray(allOf) && allOf.some(takesObjects);
}
