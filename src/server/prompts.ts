import { z } from "zod";
import { McpError } from "../errors.ts";
import { INVALID_PARAMS } from "../wire/index.ts";
import { createAsking } from "./asking.ts";
import type { Call } from "./call.ts";
import { RequestContext } from "./context.ts";
import { invoke, type Job } from "./invoke.ts";
import type { Method, Parts } from "./method.ts";
import { promptResult } from "./outcome.ts";
import { parseArguments, readParams } from "./parse.ts";
import type { PromptDefinition } from "./prompt.ts";

const getParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});

/** `prompts/get`. MCP 2026-07-28, server/prompts. */
export function getPrompt(parts: Parts): Method {
  return ({ params }) => {
    const { name, arguments: args = {} } = readParams(getParams, params);
    const prompt = parts.registry.prompts.get(name);
    if (prompt === undefined) throw new McpError(INVALID_PARAMS, `Unknown prompt: ${name}`);
    return {
      handlerName: name,
      limits: prompt,
      start: (call) => invoke(call, promptJob(prompt, args, call, parts), parts.settings),
    };
  };
}

function promptJob(prompt: PromptDefinition, args: unknown, call: Call, parts: Parts): Job {
  const { answer, refuse } = parts;
  const asking = createAsking({
    call,
    binding: { target: prompt.name, arguments: args },
    requires: prompt.requires,
    parts,
  });
  return {
    asking,
    timeoutMs: prompt.timeoutMs,
    prepare: () => parseArguments(prompt.argsSchema, args, (message) => new McpError(INVALID_PARAMS, message)),
    run: (parsed) => prompt.handler(parsed, new RequestContext(call, prompt.name, asking)),
    succeed: (value) => answer(promptResult(value)),
    fail: (error) => refuse(error, call.request.method),
  };
}
