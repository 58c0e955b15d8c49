import type { Observable } from "rxjs";
import type { ClientCapabilities, Implementation, Result, Servable } from "../events/index.ts";
import { ContainedObservable } from "../progress/index.ts";
import { connectMemory } from "../transports/index.ts";
import { metaKeys, supportedVersions } from "../wire/index.ts";
import { type CallbackErrorHook, failureReporter } from "./callback.ts";
import type { CallOptions, Client, StreamOptions, ToolEvent } from "./client.ts";
import { Connection, type Params } from "./connection.ts";
import { type CallEvent, increasing } from "./increasing.ts";
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "./result.ts";

export interface ConnectOptions {
  /** Who the server is told it talks to. @default this library's in-process client */
  readonly clientInfo?: Implementation | undefined;
  /** What the server may use of this client. @default nothing */
  readonly capabilities?: ClientCapabilities | undefined;
  /** What handlers see as `ctx.principal`: in process nobody authenticates. */
  readonly principal?: unknown;
  /**
   * Told, once per call, of what an `onProgress` or a subscriber of `streamTool` threw or rejected with.
   * @default it goes to the server's diagnostics
   */
  readonly onCallbackError?: CallbackErrorHook | undefined;
}

/** Connects to a server in the same process. Nothing is sent until the first call. */
export function connect(server: Servable, options: ConnectOptions = {}): Client {
  const { clientInfo = defaultClientInfo, capabilities = {}, principal, onCallbackError } = options;
  const onFailure = failureReporter(server.diagnostics, onCallbackError);
  const connection = new Connection(connectMemory(server, { principal }), {
    [metaKeys.protocolVersion]: supportedVersions[0],
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: capabilities,
  });
  const open = (method: string, params: Params, listening: boolean, settings: StreamOptions) =>
    new ContainedObservable(connection.call(method, params, { ...settings, listening }).pipe(increasing()), onFailure);
  const request = (method: string, params: Params = {}, { onProgress, ...settings }: CallOptions = {}) =>
    settle(open(method, params, onProgress !== undefined, settings), onProgress);

  return {
    callTool: (name, args, options) =>
      request("tools/call", { name, arguments: args }, options) as Promise<CallToolResult>,
    streamTool: (name, args, options = {}) =>
      open("tools/call", { name, arguments: args }, true, options) as Observable<ToolEvent>,
    getPrompt: (name, args, options) =>
      request("prompts/get", { name, arguments: args }, options) as Promise<GetPromptResult>,
    readResource: (uri, options) => request("resources/read", { uri }, options) as Promise<ReadResourceResult>,
    request,
    close: () => connection.close(),
  };
}

const defaultClientInfo: Implementation = { name: "mcp-headway", version: "0.1.0" };

function settle(events: Observable<CallEvent>, onProgress: CallOptions["onProgress"]): Promise<Result> {
  return new Promise((resolve, reject) => {
    events.subscribe({
      next: (event) => {
        if (event.type === "result") return resolve(event.result);
        const { type: _, ...update } = event;
        return onProgress?.(update);
      },
      error: reject,
    });
  });
}
