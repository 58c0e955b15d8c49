import { z } from "zod";
import { McpError } from "../errors.ts";
import type { TerminalEvent } from "../events/index.ts";
import { INVALID_PARAMS } from "../wire/index.ts";
import { type Asking, createAsking } from "./asking.ts";
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
      start: (call) => invoke(call, new PromptJob(prompt, args, call, parts), parts.settings),
    };
  };
}

class PromptJob implements Job {
  readonly asking: Asking;
  readonly #prompt: PromptDefinition;
  readonly #arguments: unknown;
  readonly #call: Call;
  readonly #parts: Parts;

  constructor(prompt: PromptDefinition, args: unknown, call: Call, parts: Parts) {
    const { name: target, requires } = prompt;
    this.asking = createAsking({ call, target, arguments: args, requires, parts });
    this.#prompt = prompt;
    this.#arguments = args;
    this.#call = call;
    this.#parts = parts;
  }

  get timeoutMs(): number | undefined {
    return this.#prompt.timeoutMs;
  }

  prepare(): unknown {
    const refuse = (message: string) => new McpError(INVALID_PARAMS, message);
    return parseArguments(this.#prompt.argsSchema, this.#arguments, refuse);
  }

  run(parsed: unknown): unknown {
    return this.#prompt.handler(parsed, new RequestContext(this.#call, this.#prompt.name, this.asking));
  }

  succeed(value: unknown): TerminalEvent {
    return this.#parts.answer(promptResult(value));
  }

  fail(error: unknown): TerminalEvent {
    return this.#parts.refuse(error, this.#call.request.method);
  }
}
