import { z } from "zod";
import { isInstance, McpError, ToolError } from "../errors.ts";
import { formatIssues, INVALID_PARAMS } from "../wire/index.ts";
import { UncheckedArguments } from "./fault.ts";

/**
 * Parses at once where the schema allows it, so that nothing lies between a request and its handler. Only a
 * run shows whether a check takes a promise, and a check must not run twice: so it is one run that may.
 */
export function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
): z.ZodSafeParseResult<T> | Promise<z.ZodSafeParseResult<T>> {
  const context = { async: true };
  const read = ({ issues, value: data }: z.core.ParsePayload<unknown>): z.ZodSafeParseResult<T> => {
    if (issues.length === 0) return { success: true, data: data as T };
    const named = issues.map((issue) => z.core.util.finalizeIssue(issue, context, z.config()));
    return { success: false, error: new z.ZodRealError(named) as z.ZodError<T> };
  };
  const run = schema._zod.run({ value, issues: [] }, context);
  return run instanceof Promise ? run.then(read) : read(run);
}

/**
 * What a handler is called with; `refuse` makes the error for what fails the schema, from its issues.
 * @throws UncheckedArguments when the schema itself fails, as on arguments that are nested too deep for it.
 */
export function parseArguments(schema: z.ZodType, args: unknown, refuse: (message: string) => Error): unknown {
  const take = (parsed: z.ZodSafeParseResult<unknown>): unknown => {
    if (parsed.success) return parsed.data;
    throw refuse(`Invalid arguments: ${formatIssues(parsed.error)}`);
  };
  try {
    const parsed = parse(schema, args);
    return parsed instanceof Promise ? parsed.then(take).catch(rethrow) : take(parsed);
  } catch (error) {
    return rethrow(error);
  }
}

/** A check may say itself what the client is to be told. */
function rethrow(error: unknown): never {
  if (isInstance<Error>(error, McpError, ToolError)) throw error;
  throw new UncheckedArguments("The arguments could not be checked", { cause: error });
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
