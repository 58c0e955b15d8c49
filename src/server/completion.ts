import { z } from "zod";
import { McpError } from "../errors.ts";
import { INVALID_PARAMS } from "../wire/index.ts";
import type { Call } from "./call.ts";
import type { Completer } from "./completer.ts";
import { InvalidOutput } from "./fault.ts";
import { invoke, type Job } from "./invoke.ts";
import type { Method, Parts } from "./method.ts";
import { readParams } from "./parse.ts";
import type { Registry } from "./registry.ts";

/** MCP 2026-07-28, server/utilities/completion. */
const maxValues = 100;

const completeParams = z.looseObject({
  ref: z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("ref/prompt"), name: z.string() }),
    z.looseObject({ type: z.literal("ref/resource"), uri: z.string() }),
  ]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});
type CompleteParams = z.output<typeof completeParams>;

/** `completion/complete`. */
export function complete(parts: Parts): Method {
  return (request) => {
    const params = readParams(completeParams, request.params);
    const completer = findCompleter(parts.registry, params);
    return {
      handlerName: params.ref.type === "ref/prompt" ? params.ref.name : params.ref.uri,
      start: (call) => invoke(call, completionJob(completer, params, call, parts), parts.settings),
    };
  };
}

/** An argument without a completer is completed by nothing; one that does not exist is an error. */
function findCompleter(registry: Registry, { ref, argument }: CompleteParams): Completer {
  const { names, completers } =
    ref.type === "ref/prompt" ? ofPrompt(registry, ref.name) : ofResource(registry, ref.uri);
  if (!names.includes(argument.name)) throw new McpError(INVALID_PARAMS, `Unknown argument: ${argument.name}`);
  return completers.get(argument.name) ?? (() => []);
}

function ofPrompt(registry: Registry, name: string) {
  const prompt = registry.prompts.get(name);
  if (prompt === undefined) throw new McpError(INVALID_PARAMS, `Unknown prompt: ${name}`);
  return { names: prompt.parameters, completers: prompt.completers };
}

function ofResource(registry: Registry, uri: string) {
  const family = registry.templates.get(uri);
  if (family === undefined) throw new McpError(INVALID_PARAMS, "Resource template not found", { uri });
  return { names: family.template.variables, completers: family.definition.completers };
}

function completionJob(completer: Completer, params: CompleteParams, call: Call, { answer, refuse }: Parts): Job {
  const { argument, context } = params;
  return {
    run: () => completer(argument.value, { arguments: context?.arguments ?? {}, principal: call.exchange.principal }),
    succeed: (values) => answer({ completion: completionOf(values) }),
    fail: (error) => refuse(error, call.request.method),
  };
}

function completionOf(values: unknown) {
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string")) {
    throw new InvalidOutput("A completer returned something else than an array of strings");
  }
  return { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues };
}
