import { McpError } from "../errors.ts";
import type { Result } from "../events/index.ts";
import type { ProgressUpdate } from "../progress/index.ts";
import type { ErrorBody } from "../wire/index.ts";

/** What a message from the server turned out to be. `other` has no meaning to this client. */
export type ServerMessage =
  | { readonly type: "progress"; readonly token: unknown; readonly update: ProgressUpdate }
  | { readonly type: "result"; readonly id: unknown; readonly result: Result }
  | { readonly type: "error"; readonly id: unknown; readonly error: McpError }
  | { readonly type: "other" };

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: ProgressUpdate & { readonly progressToken?: unknown };
  readonly result?: Result;
  readonly error?: ErrorBody;
}

/** Reads one message of the server, whose printer is trusted to print well-formed ones. */
export function readMessage(text: string): ServerMessage {
  const { id, method, params, result, error }: Message = JSON.parse(text);
  if (method === "notifications/progress" && params !== undefined) {
    const { progressToken, ...update } = params;
    return { type: "progress", token: progressToken, update };
  }
  if (result !== undefined) return { type: "result", id, result };
  if (error !== undefined) return { type: "error", id, error: new McpError(error.code, error.message, error.data) };
  return { type: "other" };
}
