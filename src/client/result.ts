import type { Result } from "../events/index.ts";
import type { PromptResult, ResourceResult, ToolResult } from "../wire/index.ts";

/** What a tool answers. A tool's own failure is a result too: `content` then says why. */
export interface CallToolResult extends Result, ToolResult {}

/** What a prompt answers. */
export interface GetPromptResult extends Result, PromptResult {}

/** What a resource holds. */
export interface ReadResourceResult extends Result, ResourceResult {}
