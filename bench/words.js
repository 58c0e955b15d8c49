/** What was asked for on the command line. */
import { measures } from "./measures/index.js";
import { everywhere, targets } from "./targets.js";

export const usage = `npm run bench [-- words]

A word keeps one target, measure or carrier of its kind; without words of a kind, all of it runs.

targets:  ${targets.map(({ name }) => name).join(", ")}
carriers: ${everywhere.join(", ")}
measures:
${measures.map(({ name, about }) => `  ${name.padEnd(9)} ${about}`).join("\n")}

rounds=3   how often each is measured; the table has medians, long measures run once
scale=1    shortens runs: 0.1 makes a tenth of the updates
--help     this text`;

/**
 * @param {readonly string[]} words
 * @returns what to run, or why not
 */
export function readWords(words) {
  const settings = new Map([
    ["rounds", 3],
    ["scale", 1],
  ]);
  /** @type {string[]} */
  const plain = [];
  for (const word of words) {
    const [key = "", value] = word.split("=");
    if (value === undefined) plain.push(word);
    else if (key === "rounds" && Number.isInteger(Number(value)) && Number(value) > 0) settings.set(key, Number(value));
    else if (key === "scale" && Number(value) > 0) settings.set(key, Number(value));
    else return { problem: `Expected rounds to be a positive integer and scale a positive number, got ${word}` };
  }
  const kinds = [targets.map(({ name }) => name), measures.map(({ name }) => name), everywhere];
  const unknown = plain.find((word) => !kinds.some((kind) => kind.some((name) => name === word)));
  if (unknown !== undefined) return { problem: `Expected words to be among those below, got ${unknown}` };
  const isAsked = (/** @type {readonly string[]} */ kind) => {
    const some = plain.filter((word) => kind.includes(word));
    return (/** @type {string} */ name) => some.length === 0 || some.includes(name);
  };
  const [isTarget, isMeasure, isCarrier] = kinds.map(isAsked);
  const asked = {
    rounds: settings.get("rounds") ?? 3,
    scale: settings.get("scale") ?? 1,
    targets: targets.filter(({ name }) => isTarget?.(name)),
    measures: measures.filter(({ name }) => isMeasure?.(name)),
    carriers: everywhere.filter((name) => isCarrier?.(name)),
  };
  const isPossible = asked.carriers.some(
    (carrier) =>
      asked.measures.some(({ carriers }) => carriers.includes(carrier)) &&
      asked.targets.some(({ carriers }) => carriers.includes(carrier)),
  );
  if (isPossible) return asked;
  return { problem: `Expected words that go together, got ${plain.join(" ")}: nothing to run` };
}
