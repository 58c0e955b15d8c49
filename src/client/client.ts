import type { Observable } from "rxjs";
import type { ProgressEvent, Result } from "../events/index.ts";
import type { ProgressUpdate } from "../progress/index.ts";
import type { QuestionEvent } from "./event.ts";
import type { Answering } from "./question.ts";
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "./result.ts";
import type { Timeouts } from "./timeout.ts";

/** What any request can be told beside its params. */
export interface RequestOptions extends Timeouts {
  /** Aborting it cancels the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with each update, in order, before the call resolves; the values always increase. Asks the
   * server for progress: without it, and without a `resetTimeoutOnProgress`, no token is sent. What it throws,
   * or rejects with, does not harm the call; see `onCallbackError`.
   */
  readonly onProgress?: ((update: ProgressUpdate) => unknown) | undefined;
}

/** What a call of a tool, prompt or resource can be told; its `onElicit` is asked instead of the client's. */
export interface CallOptions extends RequestOptions, Answering {}

export type StreamOptions = Omit<CallOptions, "onProgress">;

/** What `streamTool` emits: any number of updates and questions, then exactly one result. */
export type ToolEvent = ProgressEvent | QuestionEvent | { readonly type: "result"; readonly result: CallToolResult };

/**
 * A client in the same process. What it sends and receives is JSON text, as on any other connection.
 * Its calls reject with an `McpError` when the answer is a JSON-RPC error, and with a `Disconnected` when
 * the client was closed. A tool that fails resolves, with `isError` in its result.
 *
 * A call may take several rounds (MCP 2026-07-28, basic/patterns/mrtr). Its questions go to `onElicit`; a
 * server that puts it off is asked again after a pause. It rejects with what `onElicit` threw, with
 * `TooManyRounds`, or with `MalformedResult` when the server asks for nothing.
 */
export interface Client {
  callTool(name: string, args?: object, options?: CallOptions): Promise<CallToolResult>;
  /**
   * A tool call as a cold observable: each subscription calls the tool once more, and unsubscribing cancels
   * that call, also while a question is open. It asks for progress, and shows each question right before
   * `onElicit` is asked. What rejects a `callTool` errors this.
   */
  streamTool(name: string, args?: object, options?: StreamOptions): Observable<ToolEvent>;
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: CallOptions): Promise<GetPromptResult>;
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /** One request of any method; the result is as the server sent it, `input_required` included. */
  request(method: string, params?: Readonly<Record<string, unknown>>, options?: RequestOptions): Promise<Result>;
  /** Ends all calls, which reject, and aborts their handlers. */
  close(): void;
}
