import { type CompleteCallback, completable, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Completer } from "../server/index.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Passing = StandardSchemaWithJSON<Arguments, Arguments>;

/**
 * A schema that shows a JSON form and lets everything pass: the core checks the arguments itself, as on every
 * other carrier, and binds what it seals to them as they came.
 */
export function passing(json: object): Passing {
  const show = () => ({ ...json });
  return {
    "~standard": {
      version: 1,
      vendor: "mcp-headway",
      validate: (value) => ({ value: value as Arguments }),
      jsonSchema: { input: show, output: show },
    },
  };
}

/** What `prompts/list` shows of one argument. */
export interface ListedArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** The arguments of a prompt as a schema that the SDK lists and completes. */
export function passingArguments(
  listed: readonly ListedArgument[],
  completers: ReadonlyMap<string, Completer>,
): Passing {
  const properties = Object.fromEntries(
    listed.map(({ name, required: _, ...shown }) => [name, { type: "string", ...shown }]),
  );
  const required = listed.filter((argument) => argument.required).map(({ name }) => name);
  const shape = Object.fromEntries(
    [...callbacksOf(completers)].map(([name, complete]) => [name, completable(z.string(), complete)]),
  );
  // The SDK looks for completers in the shape of what it takes for a zod object.
  return Object.assign(passing({ type: "object", properties, required }), { shape });
}

/** Completers as the SDK calls them; it does not say for whom. */
export function callbacksOf(
  completers: ReadonlyMap<string, Completer>,
): ReadonlyMap<string, CompleteCallback<z.ZodString>> {
  return new Map(
    [...completers].map(([name, completer]) => [
      name,
      async (value, context) => [
        ...(await completer(value, { arguments: context?.arguments ?? {}, principal: undefined })),
      ],
    ]),
  );
}
