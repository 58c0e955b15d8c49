import type { ClientCapabilities, ElicitationEvent, Exchange, McpToolContext, ServerOptions } from "mcp-headway";
import { defineTool, type ToolOptions } from "mcp-headway";
import { z } from "zod";
import { observe, resultOf, serverOf } from "./kit.ts";

export const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export type Version = (typeof versions)[number];

/** What a carrier knows of a client that sent `initialize`; it can be asked anything unless told otherwise. */
export function legacy(
  protocolVersion: Version,
  capabilities: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
): Partial<Exchange> {
  return { era: "legacy", protocolVersion, client: { capabilities } };
}

/** Lets everything happen that waits for no time to pass. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export const accept = (content?: unknown) => ({ action: "accept", ...(content !== undefined && { content }) });

type Tool = Partial<Omit<ToolOptions<z.ZodType, undefined>, "handler" | "inputSchema">>;

/** A server with one tool, `t`, and a client of a 2025 revision that calls it. */
export function pushing(handler: (ctx: McpToolContext) => unknown, tool: Tool = {}, options: ServerOptions = {}) {
  const definition = defineTool({ name: "t", description: "d", ...tool, handler: (_, ctx) => handler(ctx) });
  const { server, diagnostics } = serverOf({ tools: [definition] }, options);
  const call = (known: Partial<Exchange> = legacy("2025-11-25"), progressToken: string | number = 0) => {
    const observed = observe(server, { params: { name: "t" }, progressToken }, known);
    const questions = () => observed.events.filter((event) => event.type === "elicitation");
    /** Waits for a question by its number. */
    const question = async (index = 0): Promise<ElicitationEvent> => {
      while (questions().length <= index && observed.ended() === undefined) await turn();
      const found = questions()[index];
      if (found === undefined) throw new Error(`Expected ${index + 1} questions, got ${questions().length}`);
      return found;
    };
    const answer = async (response: unknown, index = 0) => (await question(index)).answer?.(response);
    return { ...observed, questions, question, answer, text: async () => textOf(resultOf(await observed.end)) };
  };
  return { server, diagnostics, call };
}

export function textOf(result: Readonly<Record<string, unknown>>): unknown {
  return z.array(z.looseObject({ text: z.string() })).parse(result.content)[0]?.text;
}
