import { z } from "zod";
import { McpError } from "../errors.ts";
import type { ResultEvent } from "../events/index.ts";
import { INVALID_PARAMS } from "../wire/index.ts";
import type { Method, Parts } from "./method.ts";
import { readParams } from "./parse.ts";

const listParams = z.looseObject({ cursor: z.string().optional() });

/**
 * A list method. Definitions are fixed for a server's life, so all its pages are made beforehand and a
 * cursor is looked up, never read. MCP 2026-07-28, server/utilities/pagination.
 */
export function list(key: string, definitions: Iterable<{ readonly listing: object }>, parts: Parts): Method {
  const items = Array.from(definitions, ({ listing }) => listing);
  const pages = pagesOf(key, items, parts);
  return ({ params }) => {
    const { cursor } = readParams(listParams, params);
    const page = pages.get(cursor);
    if (page === undefined) throw new McpError(INVALID_PARAMS, "Invalid cursor");
    return { start: (call) => call.end(page) };
  };
}

function pagesOf(key: string, items: readonly object[], { answer, settings: { pageSize, cache } }: Parts) {
  const pages = new Map<string | undefined, ResultEvent>();
  let cursor: string | undefined;
  for (let from = 0; from === 0 || from < items.length; from += pageSize) {
    const next = from + pageSize < items.length ? btoa(`${key}:${from + pageSize}`) : undefined;
    const page = { [key]: items.slice(from, from + pageSize), ...(next !== undefined && { nextCursor: next }) };
    pages.set(cursor, answer({ ...page, ...cache }));
    cursor = next;
  }
  return pages;
}
