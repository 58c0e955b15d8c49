import {
  ContentBlockSchema,
  PromptMessageSchema,
  PromptSchema,
  ReadResourceResultSchema,
  ResourceSchema,
  ResourceTemplateSchema,
  ServerCapabilitiesSchema,
  ToolSchema,
} from "@modelcontextprotocol/core";
import { z } from "zod";
import { inputRequests } from "./questions.ts";
import { identifier, implementation } from "./schemas.ts";

const _meta = z.looseObject({ "io.modelcontextprotocol/serverInfo": implementation });
const complete = { resultType: z.literal("complete"), _meta };
const cacheable = { ...complete, ttlMs: z.int().nonnegative(), cacheScope: z.enum(["public", "private"]) };
const notCacheable = { ttlMs: z.undefined().optional(), cacheScope: z.undefined().optional() };
const page = { ...cacheable, nextCursor: z.string().optional() };

/** The complete result of each method of this revision. */
const results: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  [
    "server/discover",
    z.strictObject({
      ...cacheable,
      supportedVersions: z.array(z.string()).nonempty(),
      capabilities: ServerCapabilitiesSchema.strict(),
      instructions: z.string().optional(),
    }),
  ],
  ["tools/list", z.strictObject({ ...page, tools: z.array(ToolSchema) })],
  ["prompts/list", z.strictObject({ ...page, prompts: z.array(PromptSchema) })],
  ["resources/list", z.strictObject({ ...page, resources: z.array(ResourceSchema) })],
  ["resources/templates/list", z.strictObject({ ...page, resourceTemplates: z.array(ResourceTemplateSchema) })],
  ["resources/read", z.strictObject({ ...cacheable, contents: ReadResourceResultSchema.shape.contents })],
  [
    "tools/call",
    z.looseObject({
      ...complete,
      ...notCacheable,
      content: z.array(ContentBlockSchema),
      structuredContent: z.unknown().optional(),
      isError: z.boolean().optional(),
    }),
  ],
  [
    "prompts/get",
    z.looseObject({
      ...complete,
      ...notCacheable,
      description: z.string().optional(),
      messages: z.array(PromptMessageSchema),
    }),
  ],
  [
    "completion/complete",
    z.strictObject({
      ...complete,
      completion: z.strictObject({
        values: z.array(z.string()).max(100),
        total: z.int().optional(),
        hasMore: z.boolean().optional(),
      }),
    }),
  ],
  [
    "subscriptions/listen",
    z.strictObject({ ...complete, _meta: _meta.extend({ "io.modelcontextprotocol/subscriptionId": identifier }) }),
  ],
]);

/** Ends a round with questions, with state, or with both. */
const inputRequired = z
  .strictObject({
    resultType: z.literal("input_required"),
    _meta,
    inputRequests: inputRequests.optional(),
    requestState: z.string().optional(),
  })
  .refine((result) => result.inputRequests !== undefined || result.requestState !== undefined, {
    error: "neither inputRequests nor requestState",
  });
const asking = new Set(["tools/call", "prompts/get", "resources/read"]);

const anyResult = z.looseObject({
  ...complete,
  ttlMs: cacheable.ttlMs.optional(),
  cacheScope: cacheable.cacheScope.optional(),
});

/** The schema that a result must satisfy, by its type and by the method that it answers, if known. */
export function resultSchema(resultType: unknown, method: string | undefined): z.ZodType {
  if (resultType === "input_required" && (method === undefined || asking.has(method))) return inputRequired;
  if (method === undefined) return anyResult;
  return results.get(method) ?? z.never({ error: `no result for the method ${method}` });
}
