/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The value that the given part of all does not exceed. @param {readonly number[]} values @param {number} part */
export function quantile(values, part) {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}
