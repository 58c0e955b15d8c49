import type { z } from "zod";
import { isInstance } from "../errors.ts";
import type { Result } from "../events/index.ts";
import { formatIssues, isObject, type ToolResult } from "../wire/index.ts";
import { encodeBase64 } from "./base64.ts";
import { checkBlocks, checkContents, checkMessages, looksLikeBlocks } from "./blocks.ts";
import { InvalidOutput, printValue } from "./fault.ts";
import { parse } from "./parse.ts";

/**
 * A tool's value as a result. With an output schema what is sent has passed it.
 * @throws InvalidOutput, Unserializable
 */
export function toolResult(value: unknown, schema: z.ZodType | undefined): Result | Promise<Result> {
  // An error has no JSON form of use: returned or thrown, it is a failure.
  if (isInstance(value, Error)) throw value;
  const given = isToolResult(value) ? value : undefined;
  if (given !== undefined) checkBlocks(given.content);
  if (schema === undefined) return given === undefined ? freeResult(value) : { ...given };
  if (given?.isError === true) return { ...given };
  const checked = parse(schema, given === undefined ? value : given.structuredContent);
  if (checked instanceof Promise) return checked.then((settled) => structuredResult(settled, given));
  return structuredResult(checked, given);
}

/** A value is printed once: its class may print another time otherwise, and it may change until then. */
function freeResult(value: unknown): Result {
  if (value === undefined) return { content: [] };
  if (typeof value === "string") return { content: [text(value)] };
  const printed = printValue(value);
  // What prints as an object is one, whatever its class; other JSON is structured only under a schema.
  return printed.startsWith("{")
    ? { content: [text(printed)], structuredContent: JSON.parse(printed) }
    : { content: [text(printed)] };
}

function structuredResult(checked: z.ZodSafeParseResult<unknown>, given: ToolResult | undefined): Result {
  const mismatch = "The tool returned a value that does not match its output schema";
  if (!checked.success) throw new InvalidOutput(mismatch, { cause: new TypeError(formatIssues(checked.error)) });
  if (checked.data === undefined)
    throw new InvalidOutput(mismatch, { cause: new TypeError("Expected a value, got none") });
  if (given !== undefined) return { ...given, structuredContent: checked.data };
  if (typeof checked.data === "string") return { content: [text(checked.data)], structuredContent: checked.data };
  const printed = printValue(checked.data);
  return { content: [text(printed)], structuredContent: JSON.parse(printed) };
}

/** A prompt's value as a result: a string is one message of the user. */
export function promptResult(value: unknown): Result {
  if (typeof value === "string") return { messages: [{ role: "user", content: text(value) }] };
  const messages = isObject(value) ? value.messages : value;
  if (Array.isArray(messages)) {
    checkMessages(messages);
    return isObject(value) ? { ...value } : { messages };
  }
  throw new InvalidOutput("The prompt returned neither text nor messages", { cause: unexpected(value) });
}

/** A resource's value as a result: a string is text, bytes are a blob. */
export function resourceResult(value: unknown, uri: string, mimeType: string | undefined): Result {
  const address = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof value === "string") return { contents: [{ ...address, text: value }] };
  if (value instanceof Uint8Array) return { contents: [{ ...address, blob: encodeBase64(value) }] };
  if (isObject(value) && Array.isArray(value.contents)) {
    checkContents(value.contents);
    return { ...value };
  }
  throw new InvalidOutput("The resource returned neither text, bytes nor contents", { cause: unexpected(value) });
}

function text(value: string) {
  return { type: "text", text: value };
}

function isToolResult(value: unknown): value is ToolResult {
  return isObject(value) && looksLikeBlocks(value.content);
}

function unexpected(value: unknown): TypeError {
  return new TypeError(`Got ${Array.isArray(value) ? "an array of other things" : typeof value}`);
}
