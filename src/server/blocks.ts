import { describeGiven } from "../errors.ts";
import { isObject } from "../wire/index.ts";
import { InvalidOutput } from "./fault.ts";

/** Which members of each kind of block are texts. MCP 2026-07-28, schema, `ContentBlock`. */
const texts: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
  ["resource", []],
]);

/** Whether an array is meant as content blocks: a text with paragraphs is none, whatever it is called. */
export function looksLikeBlocks(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((block) => isObject(block) && typeof block.type === "string");
}

/*
 * What is about to be sent is checked, for a client would refuse the whole result. Each check throws an
 * `InvalidOutput` whose cause names the member.
 */

/** The `content` of a tool's result. */
export function checkBlocks(blocks: readonly unknown[]): void {
  for (const [index, block] of blocks.entries()) checkBlock(`content[${index}]`, block);
}

/** The `messages` of a prompt's result. */
export function checkMessages(messages: readonly unknown[]): void {
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (!isObject(message)) throw invalid(path, "an object", message);
    const { role, content } = message;
    if (role !== "user" && role !== "assistant") throw invalid(`${path}.role`, "user or assistant", role);
    checkBlock(`${path}.content`, content);
  }
}

/** The `contents` of a resource's result. */
export function checkContents(contents: readonly unknown[]): void {
  for (const [index, resource] of contents.entries()) checkResource(`contents[${index}]`, resource);
}

function checkBlock(path: string, block: unknown): void {
  if (!isObject(block)) throw invalid(path, "an object", block);
  const members = texts.get(block.type);
  if (members === undefined) throw invalid(`${path}.type`, `one of ${[...texts.keys()].join(", ")}`, block.type);
  for (const member of members) checkText(`${path}.${member}`, block[member]);
  if (block.type === "resource") checkResource(`${path}.resource`, block.resource);
}

function checkResource(path: string, resource: unknown): void {
  if (!isObject(resource)) throw invalid(path, "an object", resource);
  checkText(`${path}.uri`, resource.uri);
  if (resource.blob === undefined) checkText(`${path}.text`, resource.text);
  else checkText(`${path}.blob`, resource.blob);
}

function checkText(path: string, value: unknown): void {
  if (typeof value !== "string") throw invalid(path, "a string", value);
}

function invalid(path: string, expected: string, got: unknown): InvalidOutput {
  const cause = new TypeError(`Expected \`${path}\` to be ${expected}, got ${describeGiven(got)}`);
  return new InvalidOutput("The handler returned content that is not in the protocol's form", { cause });
}
