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

/**
 * Checks what is about to be sent as a content block: a client would refuse the whole result for it.
 * @throws InvalidOutput whose cause names the member.
 */
export function checkBlock(path: string, block: unknown): void {
  if (!isObject(block)) throw invalid(path, "an object", block);
  const members = texts.get(block.type);
  if (members === undefined) throw invalid(`${path}.type`, `one of ${[...texts.keys()].join(", ")}`, block.type);
  for (const member of members) checkText(`${path}.${member}`, block[member]);
  if (block.type !== "resource") return;
  const { resource } = block;
  if (!isObject(resource)) throw invalid(`${path}.resource`, "an object", resource);
  checkText(`${path}.resource.uri`, resource.uri);
  if (resource.blob === undefined) checkText(`${path}.resource.text`, resource.text);
  else checkText(`${path}.resource.blob`, resource.blob);
}

function checkText(path: string, value: unknown): void {
  if (typeof value !== "string") throw invalid(path, "a string", value);
}

function invalid(path: string, expected: string, got: unknown): InvalidOutput {
  const cause = new TypeError(`Expected \`${path}\` to be ${expected}, got ${describeGiven(got)}`);
  return new InvalidOutput("The handler returned content that is not in the protocol's form", { cause });
}
