import { z } from "zod";
import { identifier } from "./schemas.ts";

const delivered = z.strictObject({ "io.modelcontextprotocol/subscriptionId": identifier });

function notification(method: string, params: z.ZodType): z.ZodType {
  return z.strictObject({ jsonrpc: z.literal("2.0"), method: z.literal(method), params });
}

const listChanged = z.strictObject({ _meta: delivered });
const filter = z.strictObject({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
});
const progress = z.strictObject({
  progressToken: identifier,
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});

const params: Readonly<Record<string, z.ZodType>> = {
  "notifications/progress": progress,
  "notifications/subscriptions/acknowledged": z.strictObject({ _meta: delivered, notifications: filter }),
  "notifications/resources/updated": z.strictObject({ _meta: delivered, uri: z.string() }),
  "notifications/resources/list_changed": listChanged,
  "notifications/tools/list_changed": listChanged,
  "notifications/prompts/list_changed": listChanged,
  // A server ends a subscription with it on a shared channel, and nothing else.
  "notifications/cancelled": z.strictObject({
    _meta: delivered.optional(),
    requestId: identifier,
    reason: z.string().optional(),
  }),
};

/** Every notification that a server of this revision may send; log messages are declined. */
export const notifications: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(params).map(([method, schema]) => [method, notification(method, schema)]),
);
