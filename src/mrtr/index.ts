export type { McpPromptContext, McpResourceContext, McpToolContext, MrtrContext } from "./context.ts";
