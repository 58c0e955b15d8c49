import { z } from "zod";

const said = { title: z.string().optional(), description: z.string().optional() };
const count = z.int().nonnegative().optional();
const texts = z.array(z.string());
const titled = z.array(z.strictObject({ const: z.string(), title: z.string() })).nonempty();

const text = z.strictObject({
  ...said,
  type: z.literal("string"),
  minLength: count,
  maxLength: count,
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  default: z.string().optional(),
});
const number = z.strictObject({
  ...said,
  type: z.enum(["number", "integer"]),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});
const boolean = z.strictObject({ ...said, type: z.literal("boolean"), default: z.boolean().optional() });
const select = { ...said, type: z.literal("string"), default: z.string().optional() };
const several = { ...said, type: z.literal("array"), minItems: count, maxItems: count, default: texts.optional() };

/** The restricted schema of a form, to the letter. MCP 2026-07-28, client/elicitation, requested schema. */
export const form = z.strictObject({
  type: z.literal("object"),
  properties: z.record(
    z.string(),
    z.union([
      text,
      number,
      boolean,
      z.strictObject({ ...select, enum: texts.nonempty() }),
      z.strictObject({ ...select, oneOf: titled }),
      z.strictObject({ ...several, items: z.strictObject({ type: z.literal("string"), enum: texts.nonempty() }) }),
      z.strictObject({ ...several, items: z.strictObject({ anyOf: titled }) }),
    ]),
  ),
  required: texts.nonempty().optional(),
});
