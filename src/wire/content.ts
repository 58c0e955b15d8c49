/** Hints on how to use or show content. MCP 2026-07-28, server/resources, Annotations. */
export interface Annotations {
  readonly audience?: readonly ("user" | "assistant")[] | undefined;
  /** From 0, entirely optional, to 1, effectively required. */
  readonly priority?: number | undefined;
  /** ISO 8601. */
  readonly lastModified?: string | undefined;
}

/** An image for user interfaces. MCP 2026-07-28, basic/index, `icons`. */
export interface Icon {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string | undefined;
  /** `"48x48"`, `"any"`. */
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: "light" | "dark" | undefined;
}

interface Described {
  readonly annotations?: Annotations | undefined;
  readonly _meta?: Meta | undefined;
}

type Meta = Readonly<Record<string, unknown>>;

export interface TextContent extends Described {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent extends Described {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface AudioContent extends Described {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ResourceLink extends Described {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
}

export interface EmbeddedResource extends Described {
  readonly type: "resource";
  readonly resource: ResourceContents;
}

/** One item of a tool's result or a prompt's message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

interface ContentsOf {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly _meta?: Meta | undefined;
}

/** What a resource holds: text, or bytes in Base64. */
export type ResourceContents =
  | (ContentsOf & { readonly text: string })
  | (ContentsOf & {
      /** Base64. */
      readonly blob: string;
    });

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** A tool's result in the protocol's own form. MCP 2026-07-28, server/tools, Tool Result. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  /** @default false */
  readonly isError?: boolean | undefined;
  readonly _meta?: Meta | undefined;
}

/** A prompt's result in the protocol's own form. */
export interface PromptResult {
  readonly messages: readonly PromptMessage[];
  readonly description?: string | undefined;
  readonly _meta?: Meta | undefined;
}

/** A resource's result in the protocol's own form. */
export interface ResourceResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Meta | undefined;
}
