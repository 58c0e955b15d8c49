import type { RequestId } from "../events/index.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from "./codes.ts";
import { describe, isIdentifier, isObject } from "./identifier.ts";

/** The `error` member of a JSON-RPC error response. */
export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * A message that is none. `id` is there when it could be read. `oneWay` marks a notification or a response
 * gone wrong: its sender waits for nothing, so only HTTP, which owes every POST a status, says so.
 */
interface InvalidMessage {
  readonly type: "invalid";
  readonly id?: RequestId;
  readonly error: ErrorBody;
  readonly oneWay?: true;
}

/**
 * What a message from the client turned out to be. A `response` has no meaning in the modern era; it has an
 * `error`, or else a `result`, of whatever kind: who asked is to find fault with it.
 */
export type Decoded =
  | {
      readonly type: "request";
      readonly id: RequestId;
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "notification"; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly type: "response"; readonly id: RequestId; readonly result?: unknown; readonly error?: ErrorBody }
  | InvalidMessage;

/** Reads one message. Never throws. */
export function decodeText(text: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { type: "invalid", error: { code: PARSE_ERROR, message: "Parse error: the message is not valid JSON" } };
  }
  return decodeValue(value);
}

/** Reads one message that has been parsed already. Never throws. */
export function decodeValue(value: unknown): Decoded {
  if (!isObject(value)) return invalid(`Expected a message to be an object, got ${describe(value)}`);
  if (value.method !== undefined) return decodeCall(value);
  if (value.result !== undefined || value.error !== undefined) return decodeResponse(value);
  return invalid("Expected `method` to be a string, got undefined", { id: value.id });
}

function decodeCall(message: Readonly<Record<string, unknown>>): Decoded {
  const { id, method, params = {} } = message;
  const oneWay = id === undefined && typeof method === "string";
  if (id !== undefined && !isIdentifier(id)) {
    return invalid(`Expected \`id\` to be a string or a safe integer, got ${describe(id)}`);
  }
  const sender = { id, oneWay };
  if (message.jsonrpc !== "2.0") return invalid('Expected `jsonrpc` to be "2.0"', sender);
  if (typeof method !== "string") return invalid(`Expected \`method\` to be a string, got ${describe(method)}`, sender);
  if (message.result !== undefined || message.error !== undefined) {
    return invalid("Expected a request or a response, got both", sender);
  }
  if (!isObject(params)) return invalid(`Expected \`params\` to be an object, got ${describe(params)}`, sender);
  return id === undefined ? { type: "notification", method, params } : { type: "request", id, method, params };
}

/**
 * An `id` of a response is the receiver's own, so an error about a bad one carries none. Some peers send
 * `null` for the outcome that there is not.
 */
function decodeResponse({ jsonrpc, id, result, error }: Readonly<Record<string, unknown>>): Decoded {
  if (jsonrpc !== "2.0" || !isIdentifier(id)) {
    return invalid("Expected a request or a notification, got a malformed response", { oneWay: true });
  }
  const hasFailed = isObject(error) || result === undefined;
  return hasFailed ? { type: "response", id, error: readError(error) } : { type: "response", id, result };
}

/** An error that is none is one all the same: whoever waits for the response must not wait on. */
function readError(error: unknown): ErrorBody {
  const { code, message, data } = isObject(error) ? error : {};
  return {
    code: typeof code === "number" && Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === "string" ? message : "The client gave no reason",
    ...(data !== undefined && { data }),
  };
}

function invalid(message: string, { id, oneWay = false }: { id?: unknown; oneWay?: boolean } = {}): InvalidMessage {
  return {
    type: "invalid",
    ...(isIdentifier(id) && { id }),
    error: { code: INVALID_REQUEST, message },
    ...(oneWay && { oneWay }),
  };
}
