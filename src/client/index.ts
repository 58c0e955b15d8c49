// Calling a server in the same process
export type { CallOptions, Client, StreamOptions, ToolEvent } from "./client.ts";
export { type ConnectOptions, connect } from "./connect.ts";
// Results
export type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  PromptMessage,
  ReadResourceResult,
  ResourceContents,
} from "./result.ts";
