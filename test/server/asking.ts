import type { TerminalEvent, ToolOptions } from "mcp-headway";
import {
  defineTool,
  type Exchange,
  type InputRequiredEvent,
  type McpToolContext,
  type ServerOptions,
} from "mcp-headway";
import { z } from "zod";
import { observe, serverOf } from "./kit.ts";

/** A client that can be asked anything. */
export const able: Partial<Exchange> = {
  client: { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } },
};

export const key = { id: "k1", secret: new Uint8Array(32).fill(1) };
export const accept = (content?: unknown) => ({ action: "accept", ...(content !== undefined && { content }) });
export const consent = z.object({});
export const named = z.object({ name: z.string() });
/** Lets everything happen that waits for no time to pass. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

type Tool = Partial<Omit<ToolOptions<z.ZodType, undefined>, "handler" | "inputSchema">>;

/** A server with one tool, `t`, that takes any arguments; and a client that calls it. */
export function asking(handler: (ctx: McpToolContext) => unknown, tool: Tool = {}, options: ServerOptions = {}) {
  const definition = defineTool({
    name: "t",
    description: "d",
    inputSchema: z.looseObject({}),
    ...tool,
    handler: (_, ctx) => handler(ctx),
  });
  const { server, diagnostics } = serverOf({ tools: [definition] }, { requestState: { keys: [key] }, ...options });
  const send = (params: object = {}, known: Partial<Exchange> = able, progressToken: string | number = "p") =>
    observe(server, { params: { name: "t", ...params }, progressToken }, known);
  return {
    server,
    diagnostics,
    send,
    call: (params?: object, known?: Partial<Exchange>) => send(params, known).end,
    told: () => diagnostics.map(({ type }) => type),
  };
}

/** The end of a round that left a question open, or a failure that shows what came instead. */
export function askedOf(event: TerminalEvent | undefined): InputRequiredEvent {
  if (event?.type !== "input-required") throw new Error(`Expected a question, got ${JSON.stringify(event)}`);
  return event;
}

/** What a retry brings: the state, and the same answer to every question, or one for each key. */
export function answer(event: TerminalEvent | undefined, response: unknown = accept(), byKey = false) {
  const { inputRequests, requestState } = askedOf(event);
  if (byKey) return { requestState, inputResponses: response };
  const pairs = Object.keys(inputRequests).map((each) => [each, response]);
  return { requestState, inputResponses: Object.fromEntries(pairs) };
}

/** The questions of a round, in words. */
export function messagesOf(event: TerminalEvent | undefined): unknown[] {
  return Object.values(askedOf(event).inputRequests).map(
    ({ params }) => params && "message" in params && params.message,
  );
}

export function textOf(event: TerminalEvent | undefined): unknown {
  if (event?.type !== "result") throw new Error(`Expected a result, got ${JSON.stringify(event)}`);
  const [first] = z.array(z.looseObject({ text: z.unknown() })).parse(event.result.content);
  return first?.text;
}
