import { z } from "zod";
import { McpError } from "../errors.ts";
import type { ClientCapabilities, TerminalEvent } from "../events/index.ts";
import { INVALID_PARAMS } from "../wire/index.ts";
import { type Asking, createAsking } from "./asking.ts";
import type { Call } from "./call.ts";
import { RequestContext } from "./context.ts";
import { invoke, type Job } from "./invoke.ts";
import type { Method, Parts } from "./method.ts";
import { promptResult } from "./outcome.ts";
import { parseArguments, readParams } from "./parse.ts";
import type { PromptDefinition } from "./prompt.ts";
import type { Asker } from "./rounds.ts";

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

class PromptJob implements Job, Asker {
  readonly call: Call;
  readonly parts: Parts;
  readonly arguments: unknown;
  readonly asking: Asking;
  readonly #prompt: PromptDefinition;

  constructor(prompt: PromptDefinition, args: unknown, call: Call, parts: Parts) {
    this.call = call;
    this.parts = parts;
    this.arguments = args;
    this.#prompt = prompt;
    this.asking = createAsking(this);
  }

  get target(): string {
    return this.#prompt.name;
  }

  get requires(): ClientCapabilities | undefined {
    return this.#prompt.requires;
  }

  get timeoutMs(): number | undefined {
    return this.#prompt.timeoutMs;
  }

  prepare(): unknown {
    const refuse = (message: string) => new McpError(INVALID_PARAMS, message);
    return parseArguments(this.#prompt.argsSchema, this.arguments, refuse);
  }

  run(parsed: unknown): unknown {
    return this.#prompt.handler(parsed, new RequestContext(this));
  }

  succeed(value: unknown): TerminalEvent {
    return this.parts.answer(promptResult(value));
  }

  fail(error: unknown): TerminalEvent {
    return this.parts.refuse(error, this.call.request.method);
  }
}
