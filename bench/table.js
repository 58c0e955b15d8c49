/** @typedef {import("./results.js").Result} Result */
/** @typedef {import("./measures/index.js").Value} Value */

/**
 * Prints medians as one Markdown table per title, narrow enough for a terminal of 120 columns; in brackets, how
 * often the target's value contains raw's.
 * @param {readonly Result[]} results
 * @param {readonly import("./measures/index.js").Measure[]} measures
 * @param {readonly string[]} targets
 */
export function printTables(results, measures, targets) {
  /** @type {Map<string, string[][]>} */
  const tables = new Map();
  for (const measure of measures) {
    for (const carrier of measure.carriers) {
      for (const value of measure.values) {
        const here = results.filter(
          (result) => result.measure === measure.name && result.key === value.key && result.carrier === carrier,
        );
        if (here.length === 0) continue;
        const heading = `${measure.name}: ${value.title} (${value.unit})`;
        const rows = tables.get(heading) ?? [["", ...targets]];
        tables.set(heading, rows);
        rows.push([value.row === undefined ? carrier : `${carrier} ${value.row}`, ...cells(here, value, targets)]);
      }
    }
  }
  return [...tables].map(([heading, rows]) => `${heading}\n\n${markdown(rows)}`).join("\n\n");
}

/** @param {readonly Result[]} results @param {Value} value @param {readonly string[]} targets */
function cells(results, { absolute, digits, yes }, targets) {
  const raw = absolute ? undefined : results.find(({ target }) => target === "raw")?.median;
  return targets.map((name) => {
    const result = results.find(({ target }) => target === name);
    if (result?.outcome !== undefined) return result.outcome;
    if (result?.median === undefined) return "–";
    if (yes !== undefined && result.median === 1) return yes;
    const text = result.median.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    // A ratio to something that is hardly measured says nothing.
    const isSmall = raw === undefined || raw < 5 * 10 ** -digits;
    return name === "raw" || isSmall ? text : `${text} (${ratio(result.median / raw)})`;
  });
}

/** @param {number} value */
function ratio(value) {
  return value.toFixed(value >= 10 ? 0 : 2);
}

/** @param {readonly (readonly string[])[]} rows */
function markdown(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (/** @type {string} */ text, /** @type {number} */ column) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  const line = (/** @type {readonly string[]} */ row) => `| ${row.map(pad).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => `${"-".repeat(width + 1)}${column === 0 ? "-" : ":"}`).join("|")}|`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)].join("\n");
}
