import type { Observable } from "rxjs";
import type { ProgressEvent, Result } from "../events/index.ts";
import type { ProgressUpdate } from "../progress/index.ts";
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "./result.ts";

/** What a call can be told beside its arguments. */
export interface StreamOptions {
  /** Aborting it cancels the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Cancels the call after so many milliseconds; it then fails with a `Deadline`. @default none */
  readonly timeoutMs?: number | undefined;
}

export interface CallOptions extends StreamOptions {
  /**
   * Called with each update, in order, before the call resolves; the values always increase. Asks the
   * server for progress: without it no token is sent. What it throws, or rejects with, does not harm the
   * call; see `onCallbackError`.
   */
  readonly onProgress?: ((update: ProgressUpdate) => unknown) | undefined;
}

/** What `streamTool` emits: any number of updates, then exactly one result. */
export type ToolEvent = ProgressEvent | { readonly type: "result"; readonly result: CallToolResult };

/**
 * A client in the same process. What it sends and receives is JSON text, as on any other connection.
 * Its calls reject with an `McpError` when the answer is a JSON-RPC error, and with a `Disconnected` when
 * the client was closed. A tool that fails resolves, with `isError` in its result.
 */
export interface Client {
  callTool(name: string, args?: object, options?: CallOptions): Promise<CallToolResult>;
  /**
   * A tool call as a cold observable: each subscription calls the tool once more, and unsubscribing cancels
   * that call. It asks for progress. What rejects a `callTool` errors this.
   */
  streamTool(name: string, args?: object, options?: StreamOptions): Observable<ToolEvent>;
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: CallOptions): Promise<GetPromptResult>;
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /** Any other method; the result is as the server sent it. */
  request(method: string, params?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Result>;
  /** Ends all calls in flight, which reject, and aborts their handlers. */
  close(): void;
}
