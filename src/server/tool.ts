import type { z } from "zod";
import { describeGiven } from "../errors.ts";
import type { McpToolContext } from "../mrtr/index.ts";
import type { Icon, ToolResult } from "../wire/index.ts";
import { checkFunction, checkText, present } from "./check.ts";
import { type Handled, type NoArguments, noArguments } from "./handler.ts";
import { checkLimits, type Limits } from "./limits.ts";
import { type HeaderParameter, headerParameters } from "./parameter.ts";
import { inputJsonSchema, outputJsonSchema } from "./schema.ts";

/** Hints for clients, which must not trust them. MCP 2026-07-28, schema, `ToolAnnotations`. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  /** @default false */
  readonly readOnlyHint?: boolean | undefined;
  /** @default true */
  readonly destructiveHint?: boolean | undefined;
  /** @default false */
  readonly idempotentHint?: boolean | undefined;
  /** @default true */
  readonly openWorldHint?: boolean | undefined;
}

/**
 * What a tool's handler may yield: with an `outputSchema` its input, else anything that has a JSON form.
 * An object whose `content` is an array of objects with a `type` is taken for a result in the protocol's own form.
 */
export type ToolValue<O extends z.ZodType | undefined> = O extends z.ZodType ? z.input<O> | ToolResult : unknown;

export interface ToolOptions<I extends z.ZodType, O extends z.ZodType | undefined> extends Limits {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .` */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly icons?: readonly Icon[] | undefined;
  /**
   * Describes an object. A property with `.meta({ "x-mcp-header": "Region" })` is mirrored into a header.
   * @default no arguments are taken
   */
  readonly inputSchema?: I;
  /** What a value must pass to be sent; it goes out as `structuredContent`. */
  readonly outputSchema?: O;
  readonly annotations?: ToolAnnotations | undefined;
  /** Refuses a `requestState` that was redeemed before, so that no answer can be used twice. @default false */
  readonly singleUse?: boolean | undefined;
  /**
   * Runs for each call, with arguments that passed `inputSchema`. What it throws becomes a result with
   * `isError`; an `McpError` becomes that JSON-RPC error.
   */
  handler(args: z.output<I>, ctx: McpToolContext): Handled<ToolValue<O>>;
}

/** A tool, checked and frozen. */
export interface ToolDefinition extends Limits {
  readonly type: "tool";
  readonly name: string;
  readonly inputSchema: z.ZodType;
  readonly outputSchema?: z.ZodType | undefined;
  readonly singleUse?: boolean | undefined;
  readonly headerParameters: readonly HeaderParameter[];
  /** As `tools/list` shows it. */
  readonly listing: Readonly<Record<string, unknown>>;
  handler(args: unknown, ctx: McpToolContext): unknown;
}

const nameSyntax = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Declares a tool.
 * @throws TypeError when a schema has no JSON form, the input is no object, or an `x-mcp-header` is misused.
 */
export function defineTool<I extends z.ZodType = NoArguments, O extends z.ZodType | undefined = undefined>(
  options: ToolOptions<I, O>,
): ToolDefinition {
  const {
    name,
    description,
    inputSchema = noArguments,
    outputSchema,
    timeoutMs,
    cadence,
    requires,
    singleUse,
  } = options;
  if (typeof name !== "string" || !nameSyntax.test(name)) {
    throw new TypeError(`Expected \`name\` to be 1 to 128 of A-Z a-z 0-9 _ - . characters, got ${describeGiven(name)}`);
  }
  checkText("description", description);
  checkFunction("handler", options.handler);
  checkLimits(options);
  const schema = inputJsonSchema("inputSchema", inputSchema);
  return Object.freeze<ToolDefinition>({
    type: "tool",
    name,
    inputSchema,
    outputSchema,
    timeoutMs,
    cadence,
    requires,
    singleUse,
    headerParameters: headerParameters(schema),
    listing: Object.freeze(listingOf(options, schema)),
    handler: (args, ctx) => options.handler(args as z.output<I>, ctx),
  });
}

function listingOf<I extends z.ZodType, O extends z.ZodType | undefined>(
  options: ToolOptions<I, O>,
  inputSchema: object,
) {
  const { name, title, description, icons, annotations, outputSchema } = options;
  return present({
    name,
    title,
    description,
    icons,
    inputSchema,
    outputSchema: outputSchema === undefined ? undefined : outputJsonSchema("outputSchema", outputSchema),
    annotations,
  });
}
