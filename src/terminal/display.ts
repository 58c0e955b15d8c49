import type { Row } from "./row.ts";

/** Where the rows are shown: drawn in place, or in plain lines one after another. Never throws. */
export interface Display {
  open(row: Row): void;
  change(row: Row): void;
  /** Takes a row away; with a text, that stays. */
  close(row: Row, text: string | undefined): void;
  /** Writes a line that stays. */
  log(text: string): void;
  /** Leaves the terminal to others. What is to stay is written afterwards. */
  pause(): void;
  resume(): void;
}
