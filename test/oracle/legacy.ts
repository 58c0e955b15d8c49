import {
  ContentBlockSchema,
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  PromptMessageSchema,
  PromptSchema,
  ReadResourceResultSchema,
  ResourceSchema,
  ResourceTemplateSchema,
  ToolSchema,
} from "@modelcontextprotocol/core";
import { z } from "zod";
import { elicitationParams } from "./legacy-questions.ts";
import { notifications } from "./notifications.ts";
import { check, identifier, implementation } from "./schemas.ts";

const jsonrpc = z.literal("2.0");
const object = z.looseObject({});

/** Nothing of the modern envelope. */
const _meta = z
  .record(z.string(), z.unknown())
  .refine((meta) => Object.keys(meta).every((key) => !key.startsWith("io.modelcontextprotocol/")), {
    error: "a reserved key of a later revision",
  })
  .optional();
const nextCursor = z.string().optional();
const declared = z.strictObject({}).optional();
const isStructured = (version: string) => version >= "2025-06-18";

function toolIn(version: string): z.ZodType {
  return ToolSchema.strict().refine(({ outputSchema }) => outputSchema === undefined || isStructured(version), {
    error: "an outputSchema before 2025-06-18",
  });
}

/** The result of each method that a revision with `initialize` has, as this project promises to send it. */
function resultsIn(version: string): Readonly<Record<string, z.ZodType>> {
  const structuredContent = isStructured(version) ? z.record(z.string(), z.unknown()).optional() : z.never().optional();
  return {
    initialize: z.strictObject({
      protocolVersion: z.literal(version),
      capabilities: z.strictObject({ tools: declared, prompts: declared, resources: declared, completions: declared }),
      serverInfo: implementation,
      instructions: z.string().optional(),
    }),
    ping: z.strictObject({}),
    "tools/list": z.strictObject({ tools: z.array(toolIn(version)), nextCursor }),
    "prompts/list": z.strictObject({ prompts: z.array(PromptSchema.strict()), nextCursor }),
    "resources/list": z.strictObject({ resources: z.array(ResourceSchema.strict()), nextCursor }),
    "resources/templates/list": z.strictObject({
      resourceTemplates: z.array(ResourceTemplateSchema.strict()),
      nextCursor,
    }),
    "resources/read": z.strictObject({ contents: ReadResourceResultSchema.shape.contents, _meta }),
    "tools/call": z.strictObject({
      content: z.array(ContentBlockSchema),
      structuredContent,
      isError: z.boolean().optional(),
      _meta,
    }),
    "prompts/get": z.strictObject({
      description: z.string().optional(),
      messages: z.array(PromptMessageSchema),
      _meta,
    }),
    "completion/complete": z.strictObject({
      completion: z.strictObject({
        values: z.array(z.string()).max(100),
        total: z.int().optional(),
        hasMore: z.boolean().optional(),
      }),
    }),
  };
}

const common = new Set([-32700, -32600, -32601, -32602, -32603]);
const errorResponse = z.strictObject({
  jsonrpc,
  id: identifier.optional(),
  error: z
    .strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() })
    .refine(({ code, data }) => (code === -32002 ? z.object({ uri: z.string() }).safeParse(data).success : true), {
      error: "an unknown resource without its uri",
    })
    .refine(({ code }) => common.has(code) || code === -32002 || code < -32768 || code > -32000, {
      error: "a reserved error code that the 2025 revisions do not define",
    }),
});

function questionIn(version: string, method: unknown): z.ZodType {
  const head = { jsonrpc, id: identifier };
  switch (method) {
    case "elicitation/create":
      return z.strictObject({ ...head, method: z.literal(method), params: elicitationParams(version) });
    case "sampling/createMessage":
      return z.looseObject(head).and(CreateMessageRequestSchema);
    case "roots/list":
      return z.looseObject(head).and(ListRootsRequestSchema);
    default:
      return z.never({ error: `no request of a server: ${String(method)}` });
  }
}

/** `checkServerMessage` for the revisions that have `initialize`; a question of the server is a message too. */
export function checkLegacyMessage(value: unknown, version: string, request?: { readonly method: string }): void {
  check(object, value, "a message");
  const message = object.parse(value);
  if ("method" in message) {
    if ("id" in message) return check(questionIn(version, message.method), message, `a question of ${version}`);
    const isKnown = ["notifications/progress", "notifications/cancelled"].includes(String(message.method));
    const schema = isKnown ? notifications.get(String(message.method)) : undefined;
    return check(schema ?? z.never(), message, `a notification of ${version}`);
  }
  if ("error" in message) return check(errorResponse, message, "an error response");
  const { [request?.method ?? ""]: result = z.never() } = resultsIn(version);
  check(z.strictObject({ jsonrpc, id: identifier, result }), message, `a result of ${request?.method} in ${version}`);
}
