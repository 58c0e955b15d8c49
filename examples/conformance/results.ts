import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** One thing that the suite looked at. */
interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "INFO" | "SKIPPED" | "WARNING" | "FAILURE";
  readonly errorMessage?: string;
}

export interface Scenario {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** Reads what the suite left in its output directory: for each scenario a directory with a `checks.json`. */
export async function readScenarios(directory: string): Promise<readonly Scenario[]> {
  const entries = await readdir(directory);
  return Promise.all(
    entries.map(async (entry) => ({
      name: entry.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""),
      checks: JSON.parse(await readFile(join(directory, entry, "checks.json"), "utf8")) as readonly Check[],
    })),
  );
}

/** What keeps a run from being clean, a line each: every warning and failure, and a scenario without a success. */
export function problemsOf(scenarios: readonly Scenario[]): readonly string[] {
  return scenarios.flatMap(({ name, checks }) => {
    const bad = checks.filter(({ status }) => status === "WARNING" || status === "FAILURE");
    const lines = bad.map(({ id, status, errorMessage = "no reason given" }) => {
      return `${name}: ${status} ${id}: ${errorMessage}`;
    });
    const passed = checks.some(({ status }) => status === "SUCCESS");
    return passed || lines.length > 0 ? lines : [`${name}: nothing was checked`];
  });
}
