import { describeGiven } from "../errors.ts";
import type { ProgressChannel } from "./channel.ts";
import { guardMessage } from "./guard.ts";

/**
 * Yields the items and counts them: item n is reported when the next one is requested or the end is
 * reached. The total is known for arrays, sets and maps. Never throws for order.
 */
export async function* track<T>(
  channel: ProgressChannel,
  items: Iterable<T> | AsyncIterable<T>,
  message?: (item: Awaited<T>, index: number) => string,
): AsyncGenerator<Awaited<T>, void, undefined> {
  if (!isIterable(items)) {
    throw new TypeError(
      `Expected \`items\` to be iterable, got ${describeGiven(items)}; report an Observable with \`reportTo\``,
    );
  }
  if (message !== undefined && typeof message !== "function") {
    throw new TypeError(`Expected \`message\` to be a function of an item, got ${describeGiven(message)}`);
  }
  const total = countOf(items);
  let index = 0;
  for await (const item of items) {
    yield item;
    if (channel.ended) {
      channel.late();
      continue;
    }
    const text = message === undefined ? undefined : guardMessage(message(item, index));
    index += 1;
    channel.report(index, total, text);
  }
}

function isIterable(items: unknown): boolean {
  if (typeof items === "string") return true;
  return typeof items === "object" && items !== null && (Symbol.iterator in items || Symbol.asyncIterator in items);
}

function countOf(items: object): number | undefined {
  if (Array.isArray(items)) return items.length;
  return items instanceof Set || items instanceof Map ? items.size : undefined;
}
