import cliTruncate from "cli-truncate";

/** Text in at most so many columns. */
export function cut(text: string, columns: number, position: "middle" | "end" = "end"): string {
  const shown = cliTruncate(text, columns, { position });
  // A wide character may stand across a cut in the middle.
  return position === "end" ? shown : cliTruncate(shown, columns);
}

/** Text without styles in exactly so many columns. */
export function pad(text: string, columns: number): string {
  return cliTruncate(cut(text, columns) + " ".repeat(Math.max(0, columns)), columns, { truncationCharacter: "" });
}

/** How many columns text without styles takes, up to `most`. */
export function widthOf(text: string, most: number): number {
  const shown = cut(text, most);
  return most - (pad(shown, most).length - shown.length);
}
