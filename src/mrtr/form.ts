import { z } from "zod";
import { describeGiven } from "../errors.ts";
import { hasPattern, type Inner, unwrap } from "./inner.ts";

/** One field of a form, in the restricted JSON Schema of MCP 2026-07-28, client/elicitation. */
type FormField = Readonly<Record<string, unknown>>;

/** The `requestedSchema` of a form. */
export interface FormSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const said = ["title", "description", "default"] as const;
const formats = new Set<unknown>(["email", "uri", "date", "date-time"]);
/** Bounds that zod adds by itself: those of what a number can hold. No user needs to be told. */
const implied = new Set([Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, 3.4028234663852886e38]);

/** Schemas are told by identity: a handler asks with the same one in every call and round. */
const known = new WeakMap<z.ZodObject, FormSchema>();

/**
 * Turns a zod object into a form, from its input side. What a form cannot say (nesting, patterns,
 * `multipleOf`, exclusive bounds, transforms) is refused before anything is sent; `refine` is checked on
 * our side only.
 * @throws TypeError that names the property.
 */
export function formSchema(schema: z.ZodObject): FormSchema {
  if (schema?._zod?.def?.type !== "object") {
    const kind: unknown = schema?._zod?.def?.type;
    const got = typeof kind === "string" ? `a schema of type ${kind}` : describeGiven(schema);
    throw new TypeError(`Expected \`schema\` to be made by z.object({ … }) of zod 4, got ${got}`);
  }
  const form = known.get(schema) ?? convert(schema);
  known.set(schema, form);
  return form;
}

function convert(schema: z.ZodObject): FormSchema {
  const fields = Object.entries(schema.shape);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, fieldOf(name, field)]));
  const required = fields.filter(([, field]) => field._zod.optin === undefined).map(([name]) => name);
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function fieldOf(name: string, schema: z.core.$ZodType): FormField {
  const json = jsonOf(name, schema);
  const inner = unwrap(schema);
  const field = { ...partsOf(name, json, inner), ...pick(json, said) };
  if ("default" in field && !fits(field.default, field.type)) {
    throw refusal(name, `a field whose default is of type ${field.type}, got ${describeGiven(field.default)}`);
  }
  return field;
}

function partsOf(name: string, json: Json, inner: Inner): Json {
  switch (inner.def.type) {
    case "string":
      return stringParts(name, json, inner);
    case "number":
      return numberParts(name, json);
    case "boolean":
      return { type: "boolean" };
    case "enum":
    case "literal":
    case "union":
      return { type: "string", ...optionsOf(name, json, "oneOf") };
    case "array":
      return { type: "array", items: itemsOf(name, json), ...pick(json, ["minItems", "maxItems"]) };
    default:
      throw refusal(name, `a string, number, boolean or selection, got ${inner.def.type}`);
  }
}

function stringParts(name: string, json: Json, inner: Inner): Json {
  if (hasPattern(inner) || (json.pattern !== undefined && json.format === undefined)) {
    throw refusal(name, "a string without a pattern; refine() checks it on the server");
  }
  if (json.format !== undefined && !formats.has(json.format)) {
    throw refusal(name, `a string of format email, uri, date or date-time, or of none, got ${json.format}`);
  }
  return { type: "string", ...pick(json, ["minLength", "maxLength", "format"]) };
}

function numberParts(name: string, json: Json): Json {
  for (const key of ["multipleOf", "exclusiveMinimum", "exclusiveMaximum"]) {
    if (json[key] !== undefined) throw refusal(name, `a number without ${key}`);
  }
  const bounds = Object.entries(pick(json, ["minimum", "maximum"]));
  const own = bounds.filter(([, bound]) => !implied.has(Math.abs(Number(bound))));
  return { type: json.type, ...Object.fromEntries(own) };
}

function itemsOf(name: string, json: Json): Json {
  const options = optionsOf(name, resolve(json.items as Json, json), "anyOf");
  return "enum" in options ? { type: "string", ...options } : options;
}

/** The choices of an enum, or of a union of string literals that say their titles with `.meta({ title })`. */
function optionsOf(name: string, json: Json, titledKey: "oneOf" | "anyOf"): Json {
  const union = (json.anyOf ?? json.oneOf) as readonly Json[] | undefined;
  const options = (union ?? [json]).flatMap((branch) => {
    const { const: value, enum: values = [value], title } = resolve(branch, json);
    return (values as readonly unknown[]).map((each) => ({ const: each, title }));
  });
  if (options.length === 0 || !options.every((option) => typeof option.const === "string")) {
    throw refusal(name, "a selection among strings, or of several by an array of an enum");
  }
  const isTitled = union !== undefined && options.some(({ title }) => title !== undefined);
  if (!isTitled) return { enum: options.map((option) => option.const) };
  return { [titledKey]: options.map((option) => ({ const: option.const, title: option.title ?? option.const })) };
}

function jsonOf(name: string, schema: z.core.$ZodType): Json {
  try {
    const json: Json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" });
    return resolve(json, json);
  } catch (cause) {
    throw refusal(name, "convertible to JSON Schema", cause);
  }
}

/** What zod put into `$defs` because it has an id of its own. */
function resolve({ $ref, ...json }: Json, { $defs }: Json): Json {
  if (typeof $ref !== "string") return json;
  const target = ($defs as Readonly<Record<string, Json>> | undefined)?.[$ref.replace("#/$defs/", "")];
  return { ...target, ...json, $defs };
}

function fits(value: unknown, type: unknown): boolean {
  if (type === "array") return Array.isArray(value) && value.every((each) => typeof each === "string");
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function pick(json: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.filter((key) => json[key] !== undefined).map((key) => [key, json[key]]));
}

function refusal(name: string, expected: string, cause?: unknown): TypeError {
  return new TypeError(`Expected property ${JSON.stringify(name)} of the form to be ${expected}`, { cause });
}
