import type { Result } from "../events/index.ts";

/** What a tool answers. A tool's own failure is a result too. MCP 2026-07-28, server/tools, Tool Result. */
export interface CallToolResult extends Result {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  /** Whether the tool failed; `content` then says why. Absent means no. */
  readonly isError?: boolean;
}

/** What a prompt answers. */
export interface GetPromptResult extends Result {
  readonly messages: readonly PromptMessage[];
  readonly description?: string;
}

/** What a resource holds. */
export interface ReadResourceResult extends Result {
  readonly contents: readonly ResourceContents[];
}

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** One item of a tool's result or a prompt's message; annotations and the like are left out of the type. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource_link"; readonly uri: string; readonly name: string }
  | { readonly type: "resource"; readonly resource: ResourceContents };

/** Text, or bytes in Base64. */
export type ResourceContents =
  | { readonly uri: string; readonly mimeType?: string | undefined; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string | undefined; readonly blob: string };
