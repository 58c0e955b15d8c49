/** Any JSON object that answers a request; what else it holds depends on the method. */
export interface Result {
  readonly [key: string]: unknown;
}

/** Who a client or server is. Self-reported: for display and logs only. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly websiteUrl?: string | undefined;
}

/** What the client declared for this request. MCP 2026-07-28, basic/index, `_meta`. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: object | undefined; readonly url?: object | undefined } | undefined;
  readonly sampling?: { readonly context?: object | undefined; readonly tools?: object | undefined } | undefined;
  readonly roots?: object | undefined;
  readonly experimental?: Readonly<Record<string, object>> | undefined;
  readonly extensions?: Readonly<Record<string, object>> | undefined;
}

/** A question to the client: elicitation, sampling or roots. */
export interface InputRequest {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params?: object;
}

/** A request id or a progress token: a string or a safe integer, echoed with its type. */
export type RequestId = string | number;
export type ProgressToken = string | number;
