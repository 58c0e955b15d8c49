// What a handler throws, and is told

export {
  Cancelled,
  Deadline,
  Disconnected,
  InvalidProgressError,
  McpError,
  MissingCapabilityError,
  NonIncreasingProgressError,
  ToolError,
  Unanswered,
  UnsupportedRevisionError,
} from "./errors.ts";
// The port between a server and what carries it

export type {
  Cadence,
  ClientCapabilities,
  Diagnostic,
  Diagnostics,
  Dispatch,
  ElicitationEvent,
  ErrorEvent,
  Exchange,
  Implementation,
  IncomingRequest,
  InputRequest,
  InputRequiredEvent,
  NotificationEvent,
  ProgressEvent,
  ProgressToken,
  PulseOptions,
  RequestEvent,
  RequestId,
  Result,
  ResultEvent,
  Servable,
  TerminalEvent,
} from "./events/index.ts";
// What a handler asks through

export type {
  Answer,
  AskOptions,
  InputResponseOf,
  McpElicitor,
  McpPromptContext,
  McpResourceContext,
  McpToolContext,
  MrtrContext,
  NonceStore,
  StateKey,
} from "./mrtr/index.ts";
export { isUnanswered } from "./mrtr/index.ts";
// What a handler reports through

export {
  type CountingProgressEmitter,
  type DoubleProgressEmitter,
  type LongProgressEmitter,
  type McpProgressSource,
  type PercentageCompleteProgressEmitter,
  type ProgressEmitter,
  type ProgressPhase,
  type ProgressUpdate,
  type Reported,
  reportTo,
} from "./progress/index.ts";
// What its definitions are made of

export type {
  Annotations,
  AudioContent,
  Awaitable,
  CacheHint,
  Completer,
  CompletionContext,
  ContentBlock,
  EmbeddedResource,
  FixedResourceOptions,
  Handled,
  Icon,
  ImageContent,
  Limits,
  PromptDefinition,
  PromptMessage,
  PromptOptions,
  PromptResult,
  PromptValue,
  ResourceContents,
  ResourceDefinition,
  ResourceLink,
  ResourceResult,
  ResourceValue,
  TemplateResourceOptions,
  TemplateVariables,
  TextContent,
  ToolAnnotations,
  ToolDefinition,
  ToolOptions,
  ToolResult,
  ToolValue,
} from "./server/index.ts";
// Making a server
export {
  createMcpServer,
  definePrompt,
  defineResource,
  defineTool,
  type McpServer,
  type RequestStateOptions,
  type ServerDefinition,
  type ServerOptions,
} from "./server/index.ts";
