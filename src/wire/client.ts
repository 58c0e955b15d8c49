import { z } from "zod";
import type { ProgressToken } from "../events/index.ts";
import { describe, isIdentifier } from "./identifier.ts";

const settings = z.looseObject({});

/** Who a client is, in either era. */
export const clientInfo = z.looseObject({
  name: z.string(),
  version: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  websiteUrl: z.string().optional(),
});

/** What a client can do, in either era; what is unknown here may be anything. */
export const clientCapabilities = z.looseObject({
  elicitation: z.looseObject({ form: settings.optional(), url: settings.optional() }).optional(),
  sampling: z.looseObject({ context: settings.optional(), tools: settings.optional() }).optional(),
  roots: settings.optional(),
  experimental: z.record(z.string(), settings).optional(),
  extensions: z.record(z.string(), settings).optional(),
});

/** What a client wants its progress labelled with. */
export const progressToken = z.custom<ProgressToken>(isIdentifier, {
  error: ({ input }) => `Expected a string or a safe integer, got ${describe(input)}`,
});
