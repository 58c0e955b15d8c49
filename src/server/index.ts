// What a handler may yield in the protocol's own form
export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  PromptMessage,
  PromptResult,
  ResourceContents,
  ResourceLink,
  ResourceResult,
  TextContent,
  ToolResult,
} from "../wire/index.ts";
export type { CacheHint } from "./cache.ts";
export type { Completer, CompletionContext } from "./completer.ts";
export type { Awaitable, Handled } from "./handler.ts";
export type { Limits } from "./limits.ts";
export { definePrompt, type PromptDefinition, type PromptOptions, type PromptValue } from "./prompt.ts";
export {
  defineResource,
  type FixedResourceOptions,
  type ResourceDefinition,
  type ResourceValue,
  type TemplateResourceOptions,
} from "./resource.ts";
export { createMcpServer, type McpServer, type ServerDefinition } from "./server.ts";
export { type RequestStateOptions, readState, type ServerOptions } from "./settings.ts";
export type { TemplateVariables } from "./template.ts";
export { defineTool, type ToolAnnotations, type ToolDefinition, type ToolOptions, type ToolValue } from "./tool.ts";
