import { z } from "zod";
import { McpError } from "../errors.ts";
import { formatIssues, INVALID_PARAMS } from "../wire/index.ts";

/** Schemas that were found to need a promise: trying them without one would run their checks twice. */
const asynchronous = new WeakSet<z.ZodType>();

/** Parses at once where the schema allows it, so that nothing lies between a request and its handler. */
export function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
): z.ZodSafeParseResult<T> | Promise<z.ZodSafeParseResult<T>> {
  if (asynchronous.has(schema)) return schema.safeParseAsync(value);
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof z.core.$ZodAsyncError)) throw error;
    asynchronous.add(schema);
    return schema.safeParseAsync(value);
  }
}

/** What a handler is called with; `refuse` makes the error for what fails the schema, from its issues. */
export function parseArguments(schema: z.ZodType, args: unknown, refuse: (message: string) => Error): unknown {
  const take = (parsed: z.ZodSafeParseResult<unknown>): unknown => {
    if (parsed.success) return parsed.data;
    throw refuse(`Invalid arguments: ${formatIssues(parsed.error)}`);
  };
  const parsed = parse(schema, args);
  return parsed instanceof Promise ? parsed.then(take) : take(parsed);
}

/**
 * Checks the shape of a request's params. Values are those that were sent and not zod's copies.
 * @throws McpError with -32602
 */
export function readParams<T>(schema: z.ZodType<T>, params: Readonly<Record<string, unknown>>): T {
  const checked = schema.safeParse(params);
  if (checked.success) return params as T;
  throw new McpError(INVALID_PARAMS, `Invalid params: ${formatIssues(checked.error)}`);
}
