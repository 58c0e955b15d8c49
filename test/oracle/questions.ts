import {
  CreateMessageRequestSchema,
  ElicitRequestFormParamsSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/core";
import { z } from "zod";
import { form } from "./form.ts";

const params = z.union([
  z
    .strictObject({ mode: z.literal("form").optional(), message: z.string(), requestedSchema: form })
    .and(ElicitRequestFormParamsSchema),
  z.strictObject({ mode: z.literal("url"), message: z.string(), url: z.url() }),
]);
const elicitation = z.strictObject({ method: z.literal("elicitation/create"), params });

/** What an `input_required` result may ask, by key; it never asks nothing. */
export const inputRequests = z
  .record(z.string(), z.union([elicitation, CreateMessageRequestSchema, ListRootsRequestSchema]))
  .refine((requests) => Object.keys(requests).length > 0, { error: "no question" });
