/** Text as it is written, and how many columns it takes. */
export interface Piece {
  readonly text: string;
  readonly width: number;
}

/** The forms of one cell, the fullest first; none for a cell that is empty. */
export type Forms = readonly Piece[];

const gap = 2;

/** The cells of a line, and how many columns they leave to what follows. */
export interface Layout {
  readonly texts: readonly string[];
  readonly room: number;
}

/**
 * Of each cell the first form that there is room for, up to a cell that has no room in any. None is cut: half a
 * figure is another figure.
 */
export function layOut(cells: readonly Forms[], columns: number): Layout {
  const texts: string[] = [];
  let room = columns;
  for (const forms of cells) {
    if (forms.length === 0) continue;
    const piece = forms.find(({ width }) => width <= room);
    if (piece === undefined) break;
    texts.push(piece.text);
    room -= piece.width + gap;
  }
  return { texts, room };
}

/** A line of cells and what follows them. */
export function join(texts: readonly string[]): string {
  return texts.join(" ".repeat(gap)).trimEnd();
}

/** A piece without styles, of characters that are one column wide. */
export function narrow(text: string): Piece {
  return { text, width: text.length };
}
