import type { z } from "zod";
import { shorten } from "../errors.ts";
import type { McpPromptContext } from "../mrtr/index.ts";
import type { Icon, PromptMessage, PromptResult } from "../wire/index.ts";
import { checkFunction, checkText, present } from "./check.ts";
import { type Completer, readCompleters } from "./completer.ts";
import { type Handled, type NoArguments, noArguments } from "./handler.ts";
import { checkLimits, type Limits } from "./limits.ts";
import { inputJsonSchema, type JsonSchema } from "./schema.ts";

/** What a prompt's handler may yield; a string is one message of the user. */
export type PromptValue = string | readonly PromptMessage[] | PromptResult;

export interface PromptOptions<A extends z.ZodObject> extends Limits {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** Arguments arrive as strings; `.describe()` and `.meta({ title })` say what they are. */
  readonly argsSchema?: A;
  /** Suggests values, by argument. */
  readonly complete?: { readonly [K in keyof z.input<A>]?: Completer } | undefined;
  /** What it throws becomes an internal error that tells nothing; an `McpError` becomes that JSON-RPC error. */
  handler(args: z.output<A>, ctx: McpPromptContext): Handled<PromptValue>;
}

/** A prompt, checked and frozen. */
export interface PromptDefinition extends Limits {
  readonly type: "prompt";
  readonly name: string;
  readonly argsSchema: z.ZodType;
  /** The names of its arguments. */
  readonly parameters: readonly string[];
  readonly completers: ReadonlyMap<string, Completer>;
  /** As `prompts/list` shows it. */
  readonly listing: Readonly<Record<string, unknown>>;
  handler(args: unknown, ctx: McpPromptContext): unknown;
}

/**
 * Declares a prompt.
 * @throws TypeError when `argsSchema` has no JSON form or an argument that takes no string, or `complete` names an argument that is not in it.
 */
export function definePrompt<A extends z.ZodObject = NoArguments>(options: PromptOptions<A>): PromptDefinition {
  const { name, title, description, icons, argsSchema = noArguments, timeoutMs, cadence, requires } = options;
  checkText("name", name);
  checkFunction("handler", options.handler);
  checkLimits(options);
  const parameters = argumentsOf(argsSchema, inputJsonSchema("argsSchema", argsSchema));
  const names = parameters.map((parameter) => parameter.name);
  const listed = parameters.length === 0 ? undefined : parameters;
  return Object.freeze<PromptDefinition>({
    type: "prompt",
    name,
    argsSchema,
    timeoutMs,
    requires,
    cadence,
    parameters: names,
    completers: readCompleters(options.complete, names),
    listing: Object.freeze(present({ name, title, description, icons, arguments: listed })),
    handler: (args, ctx) => options.handler(args as z.output<A>, ctx),
  });
}

function argumentsOf(schema: z.ZodObject, { properties, required }: JsonSchema) {
  const mandatory = Array.isArray(required) ? required : [];
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => {
    if (!takesText(property) && !isCoerced(schema, name)) {
      const got = shorten(JSON.stringify(property), 100);
      throw new TypeError(
        `Expected prompt argument \`${name}\` to take a string, as all that prompts are given, got ${got}`,
      );
    }
    const { title, description } = property;
    return present({ name, title, description, required: mandatory.includes(name) });
  });
}

/** Whether a coerced value stands behind a property: it takes text although its JSON form does not say so. */
function isCoerced({ shape }: z.ZodObject, name: string): boolean {
  let property: z.core.$ZodType | undefined = shape[name];
  while (property !== undefined) {
    const { coerce, innerType } = property._zod.def as { coerce?: boolean; innerType?: z.core.$ZodType };
    if (coerce === true) return true;
    property = innerType;
  }
  return false;
}

function takesText({ type, anyOf, oneOf }: JsonSchema): boolean {
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return options.some(takesText);
  return type === undefined || type === "string" || (Array.isArray(type) && type.includes("string"));
}
