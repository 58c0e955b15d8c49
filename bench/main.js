/**
 * `npm run bench [-- words]`: a word is the name of a target, a measure or a carrier and keeps only that
 * one of its kind. `rounds=3` sets the rounds, `scale=0.1` shortens each run.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { measures, median } from "./measures.js";
import { printTable } from "./table.js";

const everywhere = ["sse", "stdio", "websocket"];
const targets = [
  { name: "headway", path: new URL("./targets/headway.js", import.meta.url), carriers: everywhere },
  { name: "sdk", path: new URL("./targets/sdk.js", import.meta.url), carriers: ["sse", "stdio"] },
  { name: "raw", path: new URL("./targets/raw.js", import.meta.url), carriers: everywhere },
  { name: "batched", path: new URL("./targets/batched.js", import.meta.url), carriers: everywhere },
];

const words = process.argv.slice(2);
const settings = Object.fromEntries(words.filter((word) => word.includes("=")).map((word) => word.split("=")));
const rounds = Number(settings.rounds ?? 5);
const scale = Number(settings.scale ?? 1);
const names = [...targets, ...measures].map(({ name }) => name).concat(everywhere);
const unknown = words.find((word) => !word.includes("=") && !names.includes(word));
if (unknown !== undefined) throw new Error(`Expected words to be among ${names.join(", ")}, got ${unknown}`);

/** @param {readonly string[]} kind */
const asked = (kind) => {
  const some = kind.filter((name) => words.includes(name));
  return some.length > 0 ? some : kind;
};
const askedTargets = asked(targets.map(({ name }) => name));
const askedMeasures = asked(measures.map(({ name }) => name));
const askedCarriers = asked(everywhere);

/** @type {{ target: string, carrier: string, measure: string, key: string, samples: number[], median: number }[]} */
const results = [];
for (let round = 0; round < rounds; round += 1) {
  for (const measure of measures) {
    if (!askedMeasures.includes(measure.name) || round >= (measure.rounds ?? rounds)) continue;
    for (const carrier of measure.carriers) {
      if (!askedCarriers.includes(carrier)) continue;
      for (const target of targets) {
        if (!askedTargets.includes(target.name) || !target.carriers.includes(carrier)) continue;
        process.stderr.write(`round ${round + 1} of ${rounds}: ${measure.name}, ${carrier}, ${target.name}\n`);
        const values = await measure.run({ path: fileURLToPath(target.path), carrier, scale });
        for (const [key, value] of Object.entries(values)) record(target.name, carrier, measure.name, key, value);
      }
    }
  }
}

/** @param {string} target @param {string} carrier @param {string} measure @param {string} key @param {number} value */
function record(target, carrier, measure, key, value) {
  const same = (/** @type {(typeof results)[number]} */ result) =>
    result.target === target && result.carrier === carrier && result.measure === measure && result.key === key;
  const result = results.find(same);
  if (result === undefined) results.push({ target, carrier, measure, key, samples: [value], median: value });
  else {
    result.samples.push(value);
    result.median = median(result.samples);
  }
}

const environment = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg() };
const folder = new URL("./results/", import.meta.url);
const file = new URL(`${new Date().toISOString().replaceAll(":", "-")}.json`, folder);
await mkdir(folder, { recursive: true });
await writeFile(file, `${JSON.stringify({ environment, rounds, scale, results }, null, 2)}\n`);
process.stdout.write(
  `\n${printTable(results, askedTargets)}\n\n${JSON.stringify(environment)}\n${fileURLToPath(file)}\n`,
);
