import { z } from "zod";
import { McpError, ToolError } from "../errors.ts";
import type { Result, TerminalEvent } from "../events/index.ts";
import { INVALID_PARAMS, toErrorBody, toToolFailure } from "../wire/index.ts";
import type { Call } from "./call.ts";
import { RequestContext } from "./context.ts";
import { InvalidOutput, Unserializable } from "./fault.ts";
import { checkHeaders } from "./headers.ts";
import { invoke, type Job } from "./invoke.ts";
import type { Method, Parts } from "./method.ts";
import { toolResult } from "./outcome.ts";
import { parseArguments, readParams } from "./parse.ts";
import { Rounds } from "./rounds.ts";
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
      start: (call) => invoke(call, toolJob(tool, args, call, parts), parts.settings),
    };
  };
}

/** Arguments that fail the schema. The model can mend them, so they end in a result, and are no failure. */
class InvalidArguments extends ToolError {}

function toolJob(tool: ToolDefinition, args: unknown, call: Call, parts: Parts): Job {
  const { answer, settings } = parts;
  const { name: target, requires, singleUse } = tool;
  const rounds = new Rounds({ call, binding: { target, arguments: args }, requires, singleUse, parts });
  return {
    timeoutMs: tool.timeoutMs,
    rounds,
    prepare: () => parseArguments(tool.inputSchema, args, (message) => new InvalidArguments(message)),
    run: (parsed) => tool.handler(parsed, new RequestContext(call, tool.name, rounds)),
    succeed: (value) => {
      const result = toolResult(value, tool.outputSchema);
      return result instanceof Promise ? result.then(answer) : answer(result);
    },
    fail: (error) => failureOf(error, settings.maskErrors, answer),
  };
}

function failureOf(error: unknown, maskErrors: boolean, answer: (result: Result) => TerminalEvent): TerminalEvent {
  if (error instanceof Unserializable) return { type: "error", error: toErrorBody(error) };
  const shown = error instanceof InvalidOutput ? new ToolError(error.message) : error;
  const failure = toToolFailure(shown, { maskErrors });
  return failure.type === "result" ? answer(failure.result) : failure;
}
