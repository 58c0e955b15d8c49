import { z } from "zod";
import { identifier } from "./schemas.ts";

/** The codes of JSON-RPC and of this revision, and those left to applications. */
const code = z.int().refine((value) => allowed.has(value) || value < -32768 || value > -32000, {
  error: "a reserved error code that this revision does not define",
});
const allowed = new Set([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022]);

const dataOf: ReadonlyMap<number, z.ZodType> = new Map<number, z.ZodType>([
  [-32021, z.strictObject({ requiredCapabilities: z.looseObject({}) })],
  [-32022, z.strictObject({ supported: z.array(z.string()).nonempty(), requested: z.string() })],
]);

const body = z
  .strictObject({ code, message: z.string(), data: z.unknown().optional() })
  .superRefine((error, context) => {
    const { error: failure } = dataOf.get(error.code)?.safeParse(error.data) ?? {};
    for (const { message, path } of failure?.issues ?? []) {
      context.addIssue({ code: "custom", message, path: ["data", ...path] });
    }
  });

/** An error response; without `id` when it could not be read. */
export const errorResponse = z.strictObject({ jsonrpc: z.literal("2.0"), id: identifier.optional(), error: body });
