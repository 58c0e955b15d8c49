import { z } from "zod";
import { isInstance, McpError, messageOf, ToolError } from "../errors.ts";
import type { ClientCapabilities, TerminalEvent } from "../events/index.ts";
import { INVALID_PARAMS, toToolFailure } from "../wire/index.ts";
import { type Asking, createAsking } from "./asking.ts";
import type { Call } from "./call.ts";
import { RequestContext } from "./context.ts";
import { InvalidOutput, isIncapacity, UncheckedArguments, Unserializable } from "./fault.ts";
import { checkHeaders } from "./headers.ts";
import { invoke, type Job } from "./invoke.ts";
import type { Method, Parts } from "./method.ts";
import { toolResult } from "./outcome.ts";
import { parseArguments, readParams } from "./parse.ts";
import type { Asker } from "./rounds.ts";
import type { ToolDefinition } from "./tool.ts";

const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** `tools/call`. MCP 2026-07-28, server/tools. */
export function callTool(parts: Parts): Method {
  return ({ params }, exchange) => {
    const { name, arguments: args = {} } = readParams(callParams, params);
    const tool = parts.registry.tools.get(name);
    if (tool === undefined) throw new McpError(INVALID_PARAMS, `Unknown tool: ${name}`);
    checkHeaders(tool.headerParameters, args, exchange);
    return {
      handlerName: name,
      limits: tool,
      start: (call) => invoke(call, new ToolJob(tool, args, call, parts), parts.settings),
    };
  };
}

/** Arguments that fail the schema. The model can mend them, so they end in a result, and are no failure. */
class InvalidArguments extends ToolError {}

class ToolJob implements Job, Asker {
  readonly call: Call;
  readonly parts: Parts;
  readonly arguments: unknown;
  readonly asking: Asking;
  readonly #tool: ToolDefinition;

  constructor(tool: ToolDefinition, args: unknown, call: Call, parts: Parts) {
    this.call = call;
    this.parts = parts;
    this.arguments = args;
    this.#tool = tool;
    this.asking = createAsking(this);
  }

  get target(): string {
    return this.#tool.name;
  }

  get requires(): ClientCapabilities | undefined {
    return this.#tool.requires;
  }

  get singleUse(): boolean | undefined {
    return this.#tool.singleUse;
  }

  get timeoutMs(): number | undefined {
    return this.#tool.timeoutMs;
  }

  prepare(): unknown {
    return parseArguments(this.#tool.inputSchema, this.arguments, (message) => new InvalidArguments(message));
  }

  run(parsed: unknown): unknown {
    return this.#tool.handler(parsed, new RequestContext(this));
  }

  succeed(value: unknown): TerminalEvent | Promise<TerminalEvent> {
    const { answer } = this.parts;
    const result = toolResult(value, this.#tool.outputSchema);
    return result instanceof Promise ? result.then(answer) : answer(result);
  }

  fail(error: unknown): TerminalEvent {
    return failureOf(error, this.call, this.parts);
  }
}

function failureOf(error: unknown, { exchange, request }: Call, { answer, refuse, settings }: Parts): TerminalEvent {
  if (isInstance(error, Unserializable)) return refuse(error, request.method);
  // The 2025 revisions have no error for what a client cannot be asked: there the model is told.
  const isTold =
    isInstance<Error>(error, InvalidOutput, UncheckedArguments) || (exchange.era === "legacy" && isIncapacity(error));
  const failure = toToolFailure(isTold ? new ToolError(messageOf(error)) : error, settings);
  return failure.type === "result" ? answer(failure.result) : refuse(error, request.method);
}
