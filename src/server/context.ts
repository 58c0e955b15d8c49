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

/** The call that a handler runs for. */
interface Handled {
  readonly call: Call;
  /** Tool or prompt name, resource URI. */
  readonly target: string;
  readonly asking: Asking;
}

/** What a handler sees of its request. Signal and call id are made when somebody looks at them. */
export class RequestContext extends ProgressSource implements McpToolContext, McpPromptContext, McpResourceContext {
  readonly #handled: Handled;

  constructor(handled: Handled) {
    super(handled.call.line);
    this.#handled = handled;
  }

  get handlerName(): string {
    return this.#handled.target;
  }

  get requestId(): RequestId {
    return this.#handled.call.request.id;
  }

  get listening(): boolean {
    return this.#handled.call.line.listening;
  }

  get callId(): string {
    return this.#handled.asking.callId;
  }

  get client(): Exchange["client"] {
    return this.#handled.call.exchange.client;
  }

  get principal(): unknown {
    return this.#handled.call.exchange.principal;
  }

  get signal(): AbortSignal {
    return this.#handled.call.abort.signal;
  }

  pulse(options: PulseOptions): Subscription {
    return this.#handled.call.line.pulse(options, this.#handled.asking.waiting);
  }

  drained(): Promise<void> {
    return this.#handled.call.exchange.drained();
  }

  elicit<S extends z.ZodObject>(message: string, schema: S, options?: AskOptions): Promise<Answer<z.output<S>>> {
    return this.#handled.asking.elicitor.elicit(message, schema, options);
  }

  elicitUrl(message: string, url: string | URL, options?: AskOptions): Promise<Answer<undefined>> {
    return this.#handled.asking.elicitor.elicitUrl(message, url, options);
  }

  requestInput<R extends InputRequest>(request: R, options?: AskOptions): Promise<InputResponseOf<R>> {
    return this.#handled.asking.elicitor.requestInput(request, options);
  }

  later(): Promise<never> {
    return this.#handled.asking.elicitor.later();
  }

  once<T>(key: string, run: () => Awaitable<T>): Promise<T> {
    return this.#handled.asking.elicitor.once(key, run);
  }
}
