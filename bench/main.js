/** `npm run bench [-- words]`; `--help` says which. */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { Outcome } from "./outcome.js";
import { Results } from "./results.js";
import { printTables } from "./table.js";
import { readWords, usage } from "./words.js";

/**
 * Runs a measure and keeps what came of it. Answers whether the updates were all there: a peer may die or
 * stall, which is a result, but one that fails was not measured, and this library may do none of it.
 * @param {Results} results
 * @param {import("./measures/index.js").Measure} measure
 * @param {import("./run.js").Setting} setting
 */
async function measureOne(results, measure, setting) {
  const where = { target: setting.target.name, carrier: setting.carrier, measure: measure.name };
  /** @type {unknown} */
  let problem;
  const values = await measure.run(setting).catch((error) => {
    problem = error;
    return error instanceof Outcome ? error.values : {};
  });
  for (const [key, value] of Object.entries(values)) results.add({ ...where, key }, value);
  if (problem === undefined) return true;
  if (!(problem instanceof Outcome)) throw problem;
  process.stderr.write(`  ${problem.word}: ${problem.message.trim()}\n`);
  for (const { key } of measure.values) if (!(key in values)) results.fail({ ...where, key }, problem.word);
  return problem.word === "–" || (problem.word !== "fails" && where.target !== "headway");
}

/** @param {Exclude<ReturnType<typeof readWords>, { problem: string }>} asked */
async function runAll({ rounds, scale, targets, measures, carriers }) {
  const results = new Results();
  const begin = performance.now();
  let sound = true;
  for (let round = 0; round < rounds; round += 1) {
    for (const measure of measures.filter((one) => round < (one.rounds ?? rounds))) {
      for (const carrier of measure.carriers.filter((name) => carriers.includes(name))) {
        for (const target of targets.filter((one) => one.carriers.includes(carrier))) {
          const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
          const what = `round ${round + 1} of ${rounds}: ${measure.name}, ${carrier}, ${target.name}`;
          process.stderr.write(`${minutes} min, ${what}\n`);
          sound = (await measureOne(results, measure, { target, carrier, scale })) && sound;
        }
      }
    }
  }
  return { results: results.all, sound };
}

const asked = readWords(process.argv.slice(2).filter((word) => word !== "--help"));
if ("problem" in asked || process.argv.includes("--help")) {
  const problem = "problem" in asked ? asked.problem : undefined;
  process.stdout.write(problem === undefined ? `${usage}\n` : `${problem}\n\n${usage}\n`);
  process.exitCode = problem === undefined ? 0 : 1;
} else {
  const { results, sound } = await runAll(asked);
  const environment = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg() };
  const folder = new URL("./results/", import.meta.url);
  const file = new URL(`${new Date().toISOString().replaceAll(":", "-")}.json`, folder);
  await mkdir(folder, { recursive: true });
  const { rounds, scale, targets, measures } = asked;
  await writeFile(file, `${JSON.stringify({ environment, rounds, scale, sound, results }, null, 2)}\n`);
  const tables = printTables(
    results,
    measures,
    targets.map(({ name }) => name),
  );
  process.stdout.write(`\n${tables}\n\n${JSON.stringify(environment)}\n${fileURLToPath(file)}\n`);
  if (!sound) {
    process.stdout.write("A run was not sound: see what was printed on the way.\n");
    process.exitCode = 1;
  }
}
