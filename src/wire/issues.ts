import type { z } from "zod";
import { shorten } from "../errors.ts";

const maxIssues = 10;

/** Names what is wrong and where, on one line: `` `city`: Invalid input: expected string, received number ``. */
export function formatIssues({ issues }: z.ZodError): string {
  const named = issues.slice(0, maxIssues).map(formatIssue);
  const left = issues.length - named.length;
  // Issues repeat what was sent: its keys, and as many of them as it has.
  const text = shorten(named.join("; "));
  return left > 0 ? `${text}; and ${left} more` : text;
}

function formatIssue(issue: z.core.$ZodIssue): string {
  const message = messageOf(issue);
  return issue.path.length === 0 ? message : `\`${formatPath(issue.path)}\`: ${message}`;
}

/** A union says only that nothing matched; its branches say what would have. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const branches = new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(formatIssue)));
  return branches.size === 0 ? issue.message : [...branches].join(", or ");
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}
