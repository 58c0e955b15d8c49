import type { ProgressUpdate } from "../progress/index.ts";
import type { InputRequest, Result } from "./model.ts";

/** An update on its way to the client. */
export interface ProgressEvent extends ProgressUpdate {
  readonly type: "progress";
}

/**
 * A question, in its place among the progress. `answer` exists in the legacy era only, where the carrier
 * prints the question as a request; in the modern era the terminal `input-required` carries it.
 */
export interface ElicitationEvent {
  readonly type: "elicitation";
  readonly key: string;
  readonly request: InputRequest;
  /** Takes the result of the client's response, or an `Error` when there is none. Only the first call counts. */
  readonly answer?: (response: unknown) => void;
}

/** A message of `subscriptions/listen`. */
export interface NotificationEvent {
  readonly type: "notification";
  readonly method: string;
  readonly params: object;
}

/** Ends a round with questions open. Modern era only. */
export interface InputRequiredEvent {
  readonly type: "input-required";
  readonly inputRequests: Readonly<Record<string, InputRequest>>;
  readonly requestState: string;
  /** The result's `_meta`: the server's identity. */
  readonly _meta?: object;
}

export interface ResultEvent {
  readonly type: "result";
  readonly result: Result;
}

export interface ErrorEvent {
  readonly type: "error";
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Exactly one of these ends a request's observable. */
export type TerminalEvent = InputRequiredEvent | ResultEvent | ErrorEvent;

/** One item of a request's observable. */
export type RequestEvent = ProgressEvent | ElicitationEvent | NotificationEvent | TerminalEvent;

/** An update's event, without the keys that have no value: written out, for to copy an update costs more than all the rest. */
export function progressEvent(progress: number, total?: number, message?: string): ProgressEvent {
  if (message === undefined) return total === undefined ? { type, progress } : { type, progress, total };
  return total === undefined ? { type, progress, message } : { type, progress, total, message };
}

const type = "progress";

/** True for the event that ends a request's observable. */
export function isTerminal(event: RequestEvent): event is TerminalEvent {
  switch (event.type) {
    case "progress":
    case "elicitation":
    case "notification":
      return false;
    case "result":
    case "error":
    case "input-required":
      return true;
  }
}
