import type { Subscription } from "rxjs";
import type { z } from "zod";
import type { Exchange, InputRequest, PulseOptions, RequestId } from "../events/index.ts";
import type {
  Answer,
  AskOptions,
  Awaitable,
  InputResponseOf,
  McpPromptContext,
  McpResourceContext,
  McpToolContext,
} from "../mrtr/index.ts";
import { ProgressSource } from "../progress/index.ts";
import type { Asking } from "./asking.ts";
import type { Call } from "./call.ts";

/** What a handler sees of its request. Signal and call id are made when somebody looks at them. */
export class RequestContext extends ProgressSource implements McpToolContext, McpPromptContext, McpResourceContext {
  readonly handlerName: string;
  readonly requestId: RequestId;
  readonly listening: boolean;
  readonly #call: Call;
  readonly #asking: Asking;

  constructor(call: Call, handlerName: string, asking: Asking) {
    super(call.line);
    const { request, exchange } = call;
    this.#call = call;
    this.#asking = asking;
    this.handlerName = handlerName;
    this.requestId = request.id;
    this.listening = request.progressToken !== undefined && exchange.deliversProgress;
  }

  get callId(): string {
    return this.#asking.callId;
  }

  get client(): Exchange["client"] {
    return this.#call.exchange.client;
  }

  get principal(): unknown {
    return this.#call.exchange.principal;
  }

  get signal(): AbortSignal {
    return this.#call.abort.signal;
  }

  pulse(options: PulseOptions): Subscription {
    return this.#call.line.pulse(options, this.#asking.waiting);
  }

  drained(): Promise<void> {
    return this.#call.exchange.drained();
  }

  elicit<S extends z.ZodObject>(message: string, schema: S, options?: AskOptions): Promise<Answer<z.output<S>>> {
    return this.#asking.elicitor.elicit(message, schema, options);
  }

  elicitUrl(message: string, url: string | URL, options?: AskOptions): Promise<Answer<undefined>> {
    return this.#asking.elicitor.elicitUrl(message, url, options);
  }

  requestInput<R extends InputRequest>(request: R, options?: AskOptions): Promise<InputResponseOf<R>> {
    return this.#asking.elicitor.requestInput(request, options);
  }

  later(): Promise<never> {
    return this.#asking.elicitor.later();
  }

  once<T>(key: string, run: () => Awaitable<T>): Promise<T> {
    return this.#asking.elicitor.once(key, run);
  }
}
