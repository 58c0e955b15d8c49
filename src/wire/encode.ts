import { shorten } from "../errors.ts";
import type { RequestId, Result } from "../events/index.ts";
import type { ErrorBody } from "./json-rpc.ts";

/** Text around each printed message: what makes it a frame of its transport. */
export interface Framing {
  readonly before: string;
  readonly after: string;
}

/** A message and nothing else. */
export const bare: Framing = { before: "", after: "" };

/**
 * Prints JSON on one line. U+2028 and U+2029 are escaped: they are legal in JSON, but some readers take
 * them for the end of a line.
 * @throws whatever `JSON.stringify` throws; `TypeError` for what has no JSON form, `undefined` for one.
 */
export function printJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError("Expected a value with a JSON form, got none");
  // Two searches that almost never match are cheaper than one replacement.
  if (!text.includes("\u2028") && !text.includes("\u2029")) return text;
  return text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/**
 * Prints the response that carries a result.
 * @throws when the result has no JSON form or is no object in it.
 */
export function printResult(id: RequestId, result: Result, framing: Framing = bare): string {
  const text = printJson(result);
  if (!text.startsWith("{"))
    throw new TypeError(`Expected a result to be an object in JSON, got ${shorten(text, 100)}`);
  return frame(`{"jsonrpc":"2.0","id":${printJson(id)},"result":${text}}`, framing);
}

/** Prints an error response; without `id` when it could not be read. `data` that has no JSON form is left out. */
export function printError(id: RequestId | undefined, error: ErrorBody, framing: Framing = bare): string {
  const head = id === undefined ? "" : `"id":${printJson(id)},`;
  return frame(`{"jsonrpc":"2.0",${head}"error":${printErrorBody(error)}}`, framing);
}

/**
 * Prints a request.
 * @throws when `params` has no JSON form.
 */
export function printRequest(id: RequestId, method: string, params: object, framing: Framing = bare): string {
  const head = `{"jsonrpc":"2.0","id":${printJson(id)},"method":${printJson(method)}`;
  return frame(`${head},"params":${printJson(params)}}`, framing);
}

/**
 * Prints a notification.
 * @throws when `params` has no JSON form.
 */
export function printNotification(method: string, params: object, framing: Framing = bare): string {
  return frame(`{"jsonrpc":"2.0","method":${printJson(method)},"params":${printJson(params)}}`, framing);
}

function printErrorBody({ code, message, data }: ErrorBody): string {
  try {
    return printJson({ code, message, data });
  } catch {
    return printJson({ code, message });
  }
}

function frame(text: string, { before, after }: Framing): string {
  return before + text + after;
}
