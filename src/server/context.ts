import type { Exchange, RequestId } from "../events/index.ts";
import type { McpPromptContext, McpResourceContext, McpToolContext } from "../mrtr/index.ts";
import { ProgressSource } from "../progress/index.ts";
import type { Call } from "./call.ts";
import type { LazySignal } from "./signal.ts";

/** What a handler sees of its request. Signal and call id are made when somebody looks at them. */
export class RequestContext extends ProgressSource implements McpToolContext, McpPromptContext, McpResourceContext {
  readonly handlerName: string;
  readonly requestId: RequestId;
  readonly listening: boolean;
  readonly #exchange: Exchange;
  readonly #abort: LazySignal;
  #callId: string | undefined;

  constructor({ request, exchange, line, abort }: Call, handlerName: string) {
    super(line);
    this.handlerName = handlerName;
    this.requestId = request.id;
    this.listening = request.progressToken !== undefined && exchange.deliversProgress;
    this.#exchange = exchange;
    this.#abort = abort;
  }

  get callId(): string {
    this.#callId ??= globalThis.crypto.randomUUID();
    return this.#callId;
  }

  get client(): Exchange["client"] {
    return this.#exchange.client;
  }

  get principal(): unknown {
    return this.#exchange.principal;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  drained(): Promise<void> {
    return this.#exchange.drained();
  }
}
