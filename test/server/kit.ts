import type { Diagnostic, ServerDefinition, ServerOptions, TerminalEvent } from "mcp-headway";
import { createMcpServer, type Exchange, type IncomingRequest, type McpServer, type RequestEvent } from "mcp-headway";
import type { Subscription } from "rxjs";
import { isTerminal } from "../../src/events/index.ts";
import { createPrinter, printRequest } from "../../src/wire/index.ts";
import { checkLifecycle } from "../oracle/index.ts";

/** What a carrier that can stream knows of an ordinary request. */
export function exchangeOf(known: Partial<Exchange> = {}): Exchange {
  return {
    era: "modern",
    protocolVersion: "2026-07-28",
    client: { capabilities: {} },
    principal: undefined,
    header: () => undefined,
    deliversProgress: true,
    drained: () => Promise.resolve(),
    ...known,
  };
}

export interface Observed {
  readonly events: readonly RequestEvent[];
  readonly subscription: Subscription;
  /** Resolves with the terminal event, after the whole exchange has passed the oracle. */
  readonly end: Promise<TerminalEvent>;
  /** The terminal event if the request has ended by now. */
  readonly ended: () => TerminalEvent | undefined;
}

/** Subscribes to one request, as a carrier does. */
export function observe(server: McpServer, request: Partial<IncomingRequest>, known: Partial<Exchange> = {}): Observed {
  const events: RequestEvent[] = [];
  const complete: IncomingRequest = { id: 1, method: "tools/call", params: {}, ...request };
  const { promise, resolve, reject } = withResolvers<TerminalEvent>();
  const ended = () => events.find(isTerminal);
  const subscription = server.dispatch(complete, exchangeOf(known)).subscribe({
    next: (event) => events.push(event),
    error: reject,
    complete: () => {
      try {
        checkPrinted(events, complete, exchangeOf(known));
        const last = events.at(-1);
        if (last !== undefined && isTerminal(last)) resolve(last);
        else reject(new Error("Expected a terminal event"));
      } catch (error) {
        reject(error);
      }
    },
  });
  return { events, subscription, end: promise, ended };
}

/** The terminal event of a request whose shape does not matter otherwise. */
export function ask(
  server: McpServer,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  known: Partial<Exchange> = {},
): Promise<TerminalEvent> {
  return observe(server, { method, params }, known).end;
}

export function callTool(server: McpServer, name: string, args?: unknown): Promise<TerminalEvent> {
  return ask(server, "tools/call", args === undefined ? { name } : { name, arguments: args });
}

/** A server, and all that it has diagnosed. */
export function serverOf(offers: Partial<ServerDefinition>, options?: ServerOptions) {
  const server = createMcpServer({ name: "help-desk", version: "1.0.0", ...offers }, options);
  const diagnostics: Diagnostic[] = [];
  server.diagnostics.subscribe((diagnostic) => diagnostics.push(diagnostic));
  return { server, diagnostics };
}

/** The result of an event, or a failure that shows what came instead. */
export function resultOf(event: TerminalEvent | undefined): Readonly<Record<string, unknown>> {
  if (event?.type !== "result") throw new Error(`Expected a result, got ${JSON.stringify(event)}`);
  return event.result;
}

export function errorOf(event: TerminalEvent | undefined) {
  if (event?.type !== "error") throw new Error(`Expected an error, got ${JSON.stringify(event)}`);
  return event.error;
}

function checkPrinted(
  events: readonly RequestEvent[],
  { id, method, progressToken }: IncomingRequest,
  { era, protocolVersion }: Exchange,
): void {
  const printer = createPrinter({ id, progressToken });
  const messages = events.flatMap((event, index) => {
    if (event.type !== "elicitation") {
      return [JSON.parse(event.type === "progress" ? printer.progress(event) : printer.event(event))];
    }
    if ((event.answer !== undefined) !== (era === "legacy"))
      throw new Error("Expected an answer in the legacy era only");
    const { method, params = {} } = event.request;
    return era === "legacy" ? [JSON.parse(printRequest(`question ${index}`, method, params))] : [];
  });
  checkLifecycle(messages, {
    id,
    method,
    ...(progressToken !== undefined && { progressToken }),
    ...(era === "legacy" && { legacyVersion: protocolVersion }),
  });
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
