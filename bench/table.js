import { measures } from "./measures.js";

/**
 * Prints medians as a Markdown table; in brackets, how often the target's value contains raw's.
 * @param {readonly { target: string, carrier: string, measure: string, key: string, median: number }[]} results
 * @param {readonly string[]} targets
 */
export function printTable(results, targets) {
  const rows = [["measure", "carrier", ...targets]];
  for (const measure of measures) {
    for (const { key, title, unit, digits, absolute } of measure.values) {
      for (const carrier of measure.carriers) {
        const here = results.filter((r) => r.measure === measure.name && r.key === key && r.carrier === carrier);
        if (here.length === 0) continue;
        const raw = absolute ? undefined : here.find(({ target }) => target === "raw")?.median;
        const cells = targets.map((name) => cell(here.find(({ target }) => target === name)?.median, raw, digits));
        rows.push([`${title} (${unit})`, carrier, ...cells]);
      }
    }
  }
  return markdown(rows);
}

/** @param {number | undefined} value @param {number | undefined} raw @param {number} digits */
function cell(value, raw, digits) {
  if (value === undefined) return "–";
  const text = value.toFixed(digits);
  return raw === undefined || raw === value || raw <= 0 ? text : `${text} (${(value / raw).toFixed(2)})`;
}

/** @param {readonly (readonly string[])[]} rows */
function markdown(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ row) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)].join("\n");
}
