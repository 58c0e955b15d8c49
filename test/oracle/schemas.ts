import { z } from "zod";

/** A request id, a progress token or a subscription id. */
export const identifier = z.union([z.string(), z.int()]);

export const implementation = z.strictObject({
  name: z.string(),
  version: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  websiteUrl: z.string().optional(),
  icons: z.array(z.looseObject({ src: z.string() })).optional(),
});

/** Throws with what is wrong, where, and the whole message. */
export function check(schema: z.ZodType, value: unknown, what: string): void {
  const { error } = schema.safeParse(value);
  if (error !== undefined) throw new Error(`Expected ${what}:\n${z.prettifyError(error)}\nin ${JSON.stringify(value)}`);
}
