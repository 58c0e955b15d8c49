// npm run conformance: runs the official conformance suite against the server of this folder. Ends with a code
// other than 0 when a check fails or warns.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { serveHttp } from "mcp-headway/http";
import { createEverythingServer } from "./everything.ts";
import { problemsOf, readScenarios } from "./results.ts";

const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** A revision of the protocol, and what the suite runs for it. */
interface Revision {
  readonly revision: string;
  readonly selection: "--requirements" | "--spec-version";
  /** How many scenarios of it apply to this server. */
  readonly scenarios: number;
  /** Scenarios of what this server does not offer. Tasks are an extension, which the suite runs all the same. */
  readonly leftOut: RegExp;
}

const revisions: readonly Revision[] = [
  { revision: "2026-07-28", selection: "--requirements", scenarios: 40, leftOut: /^tasks-/ },
  {
    revision: "2025-11-25",
    selection: "--spec-version",
    scenarios: 27,
    leftOut: /^(logging-set-level|tools-call-with-logging|resources-(un)?subscribe)$/,
  },
];

/** The suite needs Node 22. An older one that runs this gets it from the registry. */
const node = Number.parseInt(process.versions.node, 10) >= 22 ? [] : [`node-${process.platform}-${process.arch}@24`];

for (const each of revisions) {
  const { passed, problems } = await checkRevision(each);
  for (const problem of problems) console.error(problem);
  console.log(`${each.revision}: ${passed} checks passed, ${problems.length} failed or warned`);
  if (problems.length > 0) process.exitCode = 1;
}

async function checkRevision({ revision, selection, scenarios: expected, leftOut }: Revision) {
  const output = await mkdtemp(join(tmpdir(), "conformance-"));
  const { url, close } = await serveHttp(createEverythingServer());
  try {
    const { code, printed } = await runSuite(["--url", url, selection, revision, "--output-dir", output]);
    const all = await readScenarios(output);
    const scenarios = all.filter(({ name }) => !leftOut.test(name));
    const problems = [...problemsOf(scenarios)];
    if (scenarios.length < expected) {
      console.error(printed);
      problems.push(`Expected ${expected} scenarios, got ${scenarios.length}`);
    }
    // It ends with 1 for a failure in what was left out as well.
    if (code !== 0 && scenarios.length === all.length) problems.push(`The suite ended with code ${code}`);
    const passed = scenarios.flatMap(({ checks }) => checks).filter(({ status }) => status === "SUCCESS");
    return { passed: passed.length, problems };
  } finally {
    await close();
    await rm(output, { recursive: true, force: true });
  }
}

async function runSuite(options: readonly string[]) {
  const packages = [suite, ...node].map((name) => `--package=${name}`);
  const command = ["exec", "--yes", "--loglevel=error", ...packages, "--", "conformance", "server", ...options];
  const child = spawn("npm", command, { stdio: ["ignore", "pipe", "inherit"], timeout: 300_000 });
  const [[code], printed] = await Promise.all([once(child, "close"), text(child.stdout)]);
  return { code, printed };
}
