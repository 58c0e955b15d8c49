import cliTruncate from "cli-truncate";

/** Text in at most so many columns. */
export function cut(text: string, columns: number, position: "middle" | "end" = "end"): string {
  // What is cut may be too wide still, where a character stands across the cut: then a bit more goes.
  for (let room = columns; room > 0; room -= 1) {
    const shown = cliTruncate(text, room, { position });
    if (cliTruncate(shown, columns) === shown) return shown;
  }
  return "";
}

/** Text without styles in exactly so many columns. */
export function pad(text: string, columns: number): string {
  const shown = cut(text, columns);
  if (columns < 2) return shown === "" ? " ".repeat(Math.max(0, columns)) : shown;
  return cliTruncate(shown + " ".repeat(columns), columns, { truncationCharacter: "" });
}

/** How many columns text without styles takes, up to `most`. */
export function widthOf(text: string, most: number): number {
  const shown = cut(text, most);
  return most - (pad(shown, most).length - shown.length);
}
