import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formSchema } from "../../src/mrtr/form.ts";
import { form } from "../oracle/form.ts";

const titled = z.union([z.literal("#f00").meta({ title: "Red" }), z.literal("#0f0").meta({ title: "Green" })]);
const choices = [
  { const: "#f00", title: "Red" },
  { const: "#0f0", title: "Green" },
];

it("is made once of a schema", () => {
  const schema = z.object({ name: z.string() });
  expect(formSchema(schema)).toBe(formSchema(schema));
  expect(formSchema(z.object({ name: z.string() }))).not.toBe(formSchema(schema));
});

const allowed: readonly (readonly [string, z.core.$ZodType, object])[] = [
  ["a string", z.string(), { type: "string" }],
  ["length bounds", z.string().min(3).max(50), { type: "string", minLength: 3, maxLength: 50 }],
  ["an exact length", z.string().length(5), { type: "string", minLength: 5, maxLength: 5 }],
  ["a trimmed string", z.string().trim().min(1), { type: "string", minLength: 1 }],
  ["an email, without zod's pattern", z.email(), { type: "string", format: "email" }],
  ["an email in the older spelling", z.string().email(), { type: "string", format: "email" }],
  ["a URI", z.url(), { type: "string", format: "uri" }],
  ["a date, without zod's pattern", z.iso.date(), { type: "string", format: "date" }],
  ["a date-time, without zod's pattern", z.iso.datetime({ offset: true }), { type: "string", format: "date-time" }],
  ["a number", z.number(), { type: "number" }],
  ["number bounds", z.number().min(0).max(0.5), { type: "number", minimum: 0, maximum: 0.5 }],
  ["an integer, without zod's bounds", z.int(), { type: "integer" }],
  ["an integer in the older spelling", z.number().int().min(18), { type: "integer", minimum: 18 }],
  ["an integer of 32 bits", z.int32(), { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ["a float, without zod's bounds", z.float32(), { type: "number" }],
  ["a coerced number", z.coerce.number(), { type: "number" }],
  ["a boolean", z.boolean(), { type: "boolean" }],
  ["a single select", z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
  ["a literal", z.literal("a"), { type: "string", enum: ["a"] }],
  ["a literal of several", z.literal(["a", "b"]), { type: "string", enum: ["a", "b"] }],
  ["a union of literals", z.union([z.literal("a"), z.literal("b")]), { type: "string", enum: ["a", "b"] }],
  ["a titled single select", titled, { type: "string", oneOf: choices }],
  [
    "a select with a title missing",
    z.union([z.literal("a").meta({ title: "A" }), z.literal("b")]),
    {
      type: "string",
      oneOf: [
        { const: "a", title: "A" },
        { const: "b", title: "b" },
      ],
    },
  ],
  [
    "a multi select",
    z
      .array(z.enum(["a", "b"]))
      .min(1)
      .max(2),
    { type: "array", minItems: 1, maxItems: 2, items: { type: "string", enum: ["a", "b"] } },
  ],
  ["a titled multi select", z.array(titled), { type: "array", items: { anyOf: choices } }],
  ["a default", z.string().default("x"), { type: "string", default: "x" }],
  ["a default of a number", z.int().default(0), { type: "integer", default: 0 }],
  ["a default of a boolean", z.boolean().default(false), { type: "boolean", default: false }],
  ["a default of a select", titled.default("#f00"), { type: "string", oneOf: choices, default: "#f00" }],
  [
    "a default of a multi select",
    z.array(z.enum(["a", "b"])).default(["b"]),
    { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["b"] },
  ],
  ["a prefault", z.string().prefault("x"), { type: "string", default: "x" }],
  [
    "a title and a description",
    z.string().meta({ title: "T" }).describe("D"),
    { type: "string", title: "T", description: "D" },
  ],
  [
    "the title of an enum is not one of its options",
    z.enum(["a"]).meta({ title: "T" }),
    { type: "string", enum: ["a"], title: "T" },
  ],
  [
    "what zod knows by an id",
    z.enum(["a"]).meta({ id: "form-test-a", title: "T" }),
    { type: "string", enum: ["a"], title: "T" },
  ],
  [
    "items that zod knows by an id",
    z.array(z.enum(["a"]).meta({ id: "form-test-b" })),
    { type: "array", items: { type: "string", enum: ["a"] } },
  ],
  ["a brand and readonly", z.string().brand("b").readonly(), { type: "string" }],
  ["a refinement, which is checked on our side", z.string().refine((text) => text !== "no"), { type: "string" }],
];

describe("a form can say", () => {
  it.each(allowed)("%s", (_, field, expected) => {
    const schema = formSchema(z.object({ field }));
    expect(schema).toMatchObject({ type: "object" });
    expect(schema.properties).toEqual({ field: expected });
    expect(form.parse(schema)).toEqual(schema);
  });

  it("that a field is optional, or has a default: then it is not required", () => {
    const schema = formSchema(
      z.object({
        must: z.string(),
        may: z.string().optional().describe("D"),
        has: z.string().default("x"),
        caught: z.string().catch("x"),
        again: z.string().optional().nonoptional(),
      }),
    );
    expect(schema.required).toEqual(["must", "again"]);
    expect(schema.properties).toMatchObject({ may: { type: "string", description: "D" } });
    expect(form.parse(schema)).toEqual(schema);
  });

  it("nothing: an empty object asks for consent", () => {
    expect(formSchema(z.object({}))).toEqual({ type: "object", properties: {} });
  });

  it("an object whatever it does with what it was not asked for", () => {
    const properties = { a: { type: "string" } };
    for (const schema of [z.strictObject({ a: z.string() }), z.looseObject({ a: z.string() })]) {
      expect(formSchema(schema)).toEqual({ type: "object", properties, required: ["a"] });
    }
    expect(formSchema(z.object({ a: z.string() }).refine(() => true)).properties).toEqual(properties);
  });
});

describe("a form refuses, naming the property,", () => {
  it.each<readonly [string, z.core.$ZodType, RegExp]>([
    ["nesting", z.object({ a: z.string() }), /got object/],
    ["an optional nesting", z.object({ a: z.string() }).optional(), /got object/],
    ["records", z.record(z.string(), z.string()), /got record/],
    ["arrays of texts", z.array(z.string()), /selection/],
    ["arrays of objects", z.array(z.object({})), /selection/],
    ["tuples", z.tuple([z.literal("a")]), /got tuple/],
    ["a regex", z.string().regex(/a/), /without a pattern/],
    ["a prefix", z.string().startsWith("a"), /without a pattern/],
    ["a part", z.string().includes("a"), /without a pattern/],
    ["a case", z.string().lowercase(), /without a pattern/],
    ["a regex beside a format", z.email().regex(/a/), /without a pattern/],
    ["an email by a pattern of its own", z.email({ pattern: /a@b/ }), /without a pattern/],
    ["a template literal", z.templateLiteral(["a", z.number()]), /got template_literal/],
    ["a time", z.iso.time(), /without a pattern/],
    ["a uuid", z.uuid(), /of format/],
    ["another format", z.ipv4(), /of format/],
    ["a format of its own", z.stringFormat("mine", /x/), /of format/],
    ["multipleOf", z.number().multipleOf(5), /without multipleOf/],
    ["an exclusive minimum", z.number().gt(1), /without exclusiveMinimum/],
    ["an exclusive maximum", z.int().lt(1), /without exclusiveMaximum/],
    ["a transform", z.string().transform(Number), /got pipe/],
    ["a transform behind a default", z.string().transform(Number).default(5), /got pipe/],
    ["a preprocess", z.preprocess((value) => value, z.string()), /got pipe/],
    ["a codec", z.stringbool(), /got pipe/],
    ["null", z.string().nullable(), /got nullable/],
    ["a number among literals", z.union([z.literal("a"), z.literal(1)]), /selection/],
    ["a union of types", z.union([z.string(), z.number()]), /selection/],
    ["a literal that is no string", z.literal(true), /selection/],
    ["an enum of numbers", z.enum({ One: 1 }), /selection/],
    ["a date object", z.date(), /got date/],
    ["a bigint", z.bigint(), /got bigint/],
    ["anything", z.any(), /got any/],
    ["a lazy field", z.lazy(() => z.string()), /got lazy/],
    ["a default that JSON cannot carry", z.number().default(Number.POSITIVE_INFINITY), /default/],
    [
      "what has no JSON form",
      z.lazy(() => {
        throw new Error("unready");
      }),
      /convertible/,
    ],
  ])("%s", (_, field, expected) => {
    expect(() => formSchema(z.object({ fine: z.string() }))).not.toThrow();
    const refused = () => formSchema(z.object({ fine: z.string(), "the field": field }));
    expect(refused).toThrow(TypeError);
    expect(refused).toThrow(/property "the field" of the form/);
    expect(refused).toThrow(expected);
  });

  it.each([[{ a: z.string() }], [z.string()], [undefined]])("what is no object schema: %o", (schema) => {
    expect(() => formSchema(schema as unknown as z.ZodObject)).toThrow(/Expected `schema` to be made by z\.object/);
  });
});
