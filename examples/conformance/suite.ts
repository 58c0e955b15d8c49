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

/** Revisions of the protocol, each with the number of scenarios that the suite runs for it. */
const revisions = [{ revision: "2026-07-28", scenarios: 40 }];

/** The suite needs Node 22. An older one that runs this gets it from the registry. */
const node = Number.parseInt(process.versions.node, 10) >= 22 ? [] : [`node-${process.platform}-${process.arch}@24`];

for (const { revision, scenarios } of revisions) {
  const { passed, problems } = await checkRevision(revision, scenarios);
  for (const problem of problems) console.error(problem);
  console.log(`${revision}: ${passed} checks passed, ${problems.length} failed or warned`);
  if (problems.length > 0) process.exitCode = 1;
}

async function checkRevision(revision: string, expected: number) {
  const output = await mkdtemp(join(tmpdir(), "conformance-"));
  const { url, close } = await serveHttp(createEverythingServer());
  try {
    const { code, printed } = await runSuite(["--url", url, "--requirements", revision, "--output-dir", output]);
    // Tasks are an extension, which this server does not offer; the suite runs them all the same.
    const scenarios = (await readScenarios(output)).filter(({ name }) => !name.startsWith("tasks-"));
    const problems = [...problemsOf(scenarios)];
    if (scenarios.length < expected) {
      console.error(printed);
      problems.push(`Expected ${expected} scenarios, got ${scenarios.length}`);
    }
    if (code !== 0) problems.push(`The suite ended with code ${code}`);
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
