import { attempt, shorten } from "../errors.ts";
import type { RequestEvent } from "../events/index.ts";

/** A matcher of a test framework, such as `expect.any(String)`. */
export interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean;
}

/**
 * What a marble stands for. An update is compared exactly; of a question and of the end only what is named
 * here is compared, for a result holds more than its handler returned.
 */
export type ExpectedEvent =
  | RequestEvent
  | {
      readonly type: Exclude<RequestEvent["type"], "progress" | "notification">;
      readonly [member: string]: unknown;
    }
  | AsymmetricMatcher;

/** What marbles stand for that no value is given for. */
const known: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  Object.entries<Readonly<Record<string, unknown>>>({
    ...Object.fromEntries([..."0123456789"].map((digit) => [digit, { type: "progress", progress: Number(digit) }])),
    r: { type: "result" },
    e: { type: "error" },
    q: { type: "elicitation" },
    n: { type: "notification" },
    i: { type: "input-required" },
  }),
);

/** Turns marbles into what they stand for. */
export class Legend {
  readonly #values: ReadonlyMap<string, ExpectedEvent>;

  constructor(values: Readonly<Record<string, ExpectedEvent>>) {
    this.#values = new Map(Object.entries(values));
  }

  /** @throws TypeError for a marble that stands for nothing. */
  check(marble: string): void {
    if (this.#values.has(marble) || known.has(marble)) return;
    throw new TypeError(
      `Expected a value for the marble \`${marble}\`; without one a digit stands for progress, r for a result, e for an error, q for a question, n for a notification, i for input-required`,
    );
  }

  meaning(marble: string): unknown {
    return this.#values.get(marble) ?? known.get(marble);
  }

  matches(marble: string, event: RequestEvent): boolean {
    const value = this.#values.get(marble);
    if (value === undefined) return matches(event, known.get(marble), false);
    return matches(event, value, event.type === "progress" || event.type === "notification");
  }

  /** The marble that an event would be drawn as; `?` when there is none. */
  marbleOf(event: RequestEvent): string {
    const marbles = [...this.#values.keys(), ...known.keys()];
    return marbles.find((marble) => this.matches(marble, event)) ?? "?";
  }
}

/** Whether two values are the same; unless `exact`, as far as the expected one goes. */
export function matches(actual: unknown, expected: unknown, exact: boolean): boolean {
  if (Object.is(actual, expected)) return true;
  if (!isRecord(expected)) return false;
  if (isMatcher(expected)) return expected.asymmetricMatch(actual);
  if (!isRecord(actual) || Array.isArray(actual) !== Array.isArray(expected)) return false;
  if (Array.isArray(expected) && Object.keys(actual).length !== expected.length) return false;
  const keys = new Set([...Object.keys(expected), ...(exact ? Object.keys(actual) : [])]);
  return [...keys].every((key) => matches(actual[key], expected[key], exact));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isMatcher(value: object): value is AsymmetricMatcher {
  return "asymmetricMatch" in value && typeof value.asymmetricMatch === "function";
}

/** One line of text for an event or what was expected of it. */
export function print(value: unknown): string {
  return shorten(attempt(() => JSON.stringify(value, printable)) ?? String(value), 400);
}

function printable(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null || !isMatcher(value)) return value;
  return attempt(() => String(value)) ?? "a matcher";
}
