import { isCI, isTTY, select } from "@clack/prompts";
import type { LiveLines } from "mcp-headway/terminal";
import { z } from "zod";

/** What the official client takes from its handler for questions. */
export type Answer = { action: "accept"; content: Record<string, string> } | { action: "cancel" };

const selection = z.object({
  oneOf: z.array(z.object({ const: z.string(), title: z.string() })),
  default: z.string(),
});
type Selection = z.output<typeof selection>;

/** The forms that this client can show: selections, each with a default. */
const form = z.object({
  message: z.string(),
  requestedSchema: z.object({ properties: z.record(z.string(), selection) }),
});

export interface AnswererOptions {
  /** Answers that are known beforehand, by field. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** The lines that step aside while the user is asked. */
  readonly live: LiveLines;
  /** Takes the question off the screen. */
  readonly signal: AbortSignal;
  /** The user wants none of it. */
  readonly onCancel: () => void;
}

/**
 * Answers the questions of all servers: with what was given, else at the terminal, else by default. What
 * several servers ask in the same words, the user is asked once.
 */
export function createAnswerer(options: AnswererOptions): (params: unknown) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (params) => {
    const key = JSON.stringify(params);
    const answer = answers.get(key) ?? fillIn(params, options);
    answers.set(key, answer);
    return answer;
  };
}

async function fillIn(params: unknown, { given, live, signal, onCancel }: AnswererOptions): Promise<Answer> {
  const { message, requestedSchema } = form.parse(params);
  const content: Record<string, string> = {};
  for (const [name, field] of Object.entries(requestedSchema.properties)) {
    const value = given[name] ?? (hasUser() ? await live.aside(() => choose(message, field, signal)) : field.default);
    if (typeof value !== "string") {
      onCancel();
      return { action: "cancel" };
    }
    content[name] = value;
  }
  return { action: "accept", content };
}

function hasUser(): boolean {
  return process.stdin.isTTY && isTTY(process.stdout) && process.stdout.rows > 0 && !isCI();
}

async function choose(message: string, field: Selection, signal: AbortSignal): Promise<string | symbol> {
  // A prompt keeps listening when it is over, and would end its line once more: it gets a signal of its own.
  const left = new AbortController();
  const leave = () => left.abort();
  signal.addEventListener("abort", leave);
  try {
    return await select({
      message,
      options: field.oneOf.map(({ const: value, title: label }) => ({ value, label })),
      initialValue: field.default,
      signal: left.signal,
      withGuide: false,
    });
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
