import { ElicitRequestFormParamsSchema } from "@modelcontextprotocol/core";
import { z } from "zod";
import { form } from "./form.ts";

const said = { title: z.string().optional(), description: z.string().optional() };
const count = z.int().nonnegative().optional();

/** The restricted schema of a form in 2025-06-18: only booleans have defaults, and titles are `enumNames`. */
const plainForm = z.strictObject({
  type: z.literal("object"),
  properties: z.record(
    z.string(),
    z.union([
      z.strictObject({
        ...said,
        type: z.literal("string"),
        minLength: count,
        maxLength: count,
        format: z.enum(["email", "uri", "date", "date-time"]).optional(),
      }),
      z.strictObject({
        ...said,
        type: z.enum(["number", "integer"]),
        minimum: z.number().optional(),
        maximum: z.number().optional(),
      }),
      z.strictObject({ ...said, type: z.literal("boolean"), default: z.boolean().optional() }),
      z
        .strictObject({
          ...said,
          type: z.literal("string"),
          enum: z.array(z.string()).nonempty(),
          enumNames: z.array(z.string()).optional(),
        })
        .refine((field) => field.enumNames === undefined || field.enumNames.length === field.enum.length),
    ]),
  ),
  required: z.array(z.string()).nonempty().optional(),
});

const modes = z.union([
  z
    .strictObject({ mode: z.literal("form").optional(), message: z.string(), requestedSchema: form })
    .and(ElicitRequestFormParamsSchema),
  z.strictObject({ mode: z.literal("url"), message: z.string(), url: z.url(), elicitationId: z.string().min(1) }),
]);

/** The params of `elicitation/create` in a revision that has `initialize`. */
export function elicitationParams(version: string): z.ZodType {
  if (version >= "2025-11-25") return modes;
  if (version >= "2025-06-18") return z.strictObject({ message: z.string(), requestedSchema: plainForm });
  return z.never({ error: `no elicitation in ${version}` });
}
