import type { FormSchema } from "../mrtr/index.ts";

/** A form to fill in. */
export interface FormParams {
  /** Absent means the same. */
  readonly mode?: "form" | undefined;
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/** A page to open, after the user has seen the whole URL and agreed to it. */
export interface UrlParams {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
}

/** A question to the user. MCP 2026-07-28, client/elicitation. */
export interface ElicitRequest {
  readonly method: "elicitation/create";
  readonly params: FormParams | UrlParams;
}

/** What the user did: said yes, said no, or went away. */
export interface ElicitResult {
  readonly action: "accept" | "decline" | "cancel";
  /** What was filled in; only for an accepted form. */
  readonly content?: object | undefined;
}
