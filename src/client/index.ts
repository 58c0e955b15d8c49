// What a call may fail with
export { MalformedResult, TooManyRounds } from "../errors.ts";
// Questions, answers and results in the protocol's own words
export type {
  ContentBlock,
  ElicitRequest,
  ElicitResult,
  FormParams,
  PromptMessage,
  ResourceContents,
  UrlParams,
} from "../wire/index.ts";
// Calling a server in the same process
export type { CallOptions, Client, RequestOptions, StreamOptions, ToolEvent } from "./client.ts";
export { type ConnectOptions, connect } from "./connect.ts";
// What it says on its way
export type { QuestionEvent } from "./event.ts";
// Calling any server with the official client
export { type ObservedEvent, type ObservedOptions, type OfficialProgress, observeProgress } from "./observe.ts";
// How a call pauses that is put off
export type { Pacing } from "./pacing.ts";
// Asking and answering
export type { Answering, OtherRequest, Question, QuestionInfo } from "./question.ts";
// Results
export type { CallToolResult, GetPromptResult, ReadResourceResult } from "./result.ts";
// What a display shows of a call
export { type ProgressInput, type ProgressState, type ProgressStateOptions, progressState } from "./state.ts";
// How long a call may take
export type { Timeouts } from "./timeout.ts";
