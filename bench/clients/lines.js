/**
 * Calls `onLine` with the bounds of every line that is complete and not empty.
 * @param {(text: string, start: number, end: number) => void} onLine
 */
export function splitLines(onLine) {
  let rest = "";
  return (/** @type {string} */ piece) => {
    const text = rest === "" ? piece : rest + piece;
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      if (end > start) onLine(text, start, end);
      start = end + 1;
    }
    rest = start === text.length ? "" : text.slice(start);
  };
}
