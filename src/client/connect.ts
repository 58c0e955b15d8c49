import type { Observable, SchedulerLike } from "rxjs";
import type { ClientCapabilities, Implementation, Result, Servable } from "../events/index.ts";
import { ContainedObservable } from "../progress/index.ts";
import { connectMemory } from "../transports/index.ts";
import { type CallbackErrorHook, watchCallbacks } from "./callback.ts";
import { Caller } from "./caller.ts";
import type { CallOptions, Client, ToolEvent } from "./client.ts";
import { Connection, type Params } from "./connection.ts";
import type { CallEvent } from "./event.ts";
import { increasing } from "./increasing.ts";
import type { Pacing } from "./pacing.ts";
import type { Answering } from "./question.ts";
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "./result.ts";

export interface ConnectOptions extends Answering {
  /** Who the server is told it talks to. @default this library's in-process client */
  readonly clientInfo?: Implementation | undefined;
  /**
   * What the server may use of this client. A call that has an `onElicit` declares forms and URLs, unless
   * `elicitation` is named here. @default nothing
   */
  readonly capabilities?: ClientCapabilities | undefined;
  /** What handlers see as `ctx.principal`: in process nobody authenticates. */
  readonly principal?: unknown;
  /**
   * Told, once per call, of what an `onProgress` or a subscriber of `streamTool` threw or rejected with.
   * @default it goes to the server's diagnostics
   */
  readonly onCallbackError?: CallbackErrorHook | undefined;
  /** How many requests may be in flight; one more is refused. @default 1_000 */
  readonly maxInFlight?: number | undefined;
  /** How many rounds a call may take; then it fails with `TooManyRounds`. @default 100 */
  readonly maxRounds?: number | undefined;
  /**
   * How long a call pauses that the server puts off without a question.
   * @default { firstMs: 250, longestMs: 10_000 }
   */
  readonly pacing?: Pacing | undefined;
  /** Where pauses and timeouts come from: `VirtualTimeScheduler` in tests. @default RxJS's asyncScheduler */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Connects to a server in the same process. Nothing is sent until the first call.
 * @throws RangeError for an option that makes no sense.
 */
export function connect(server: Servable, options: ConnectOptions = {}): Client {
  const { principal, maxInFlight, onCallbackError, scheduler } = options;
  const connection = new Connection(connectMemory(server, { principal, maxInFlight }), scheduler);
  const caller = new Caller(connection, options);
  const watch = watchCallbacks(server.diagnostics, onCallbackError);
  const contained = (events: Observable<CallEvent>): Observable<CallEvent> =>
    new ContainedObservable(events.pipe(increasing()), watch);
  const call = (method: string, params: Params, { onProgress, ...settings }: CallOptions = {}) =>
    settle(contained(caller.call(method, params, { ...settings, listening: onProgress !== undefined })), onProgress);

  return {
    callTool: (name, args, options) =>
      call("tools/call", { name, arguments: args }, options) as Promise<CallToolResult>,
    streamTool: (name, args, options) =>
      contained(
        caller.call("tools/call", { name, arguments: args }, { ...options, listening: true }),
      ) as Observable<ToolEvent>,
    getPrompt: (name, args, options) =>
      call("prompts/get", { name, arguments: args }, options) as Promise<GetPromptResult>,
    readResource: (uri, options) => call("resources/read", { uri }, options) as Promise<ReadResourceResult>,
    request: (method, params = {}, { onProgress, ...settings } = {}) =>
      settle(
        contained(caller.request(method, params, { ...settings, listening: onProgress !== undefined })),
        onProgress,
      ),
    close: () => connection.close(),
  };
}

function settle(events: Observable<CallEvent>, onProgress: CallOptions["onProgress"]): Promise<Result> {
  return new Promise((resolve, reject) => {
    events.subscribe({
      next: (event) => {
        switch (event.type) {
          case "result":
            return resolve(event.result);
          case "elicitation":
            return undefined;
          case "progress": {
            const { type: _, ...update } = event;
            return onProgress?.(update);
          }
        }
      },
      error: reject,
    });
  });
}
