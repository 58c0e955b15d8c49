import { createLogUpdate } from "log-update";
import type { LiveStream, Outlet } from "./outlet.ts";
import { unpainted } from "./theme.ts";
import { widthOf } from "./width.ts";

const wrapOff = "\u001b[?7l";
const wrapOn = "\u001b[?7h";
const eraseRow = "\u001b[2K\u001b[1A";

/** Lines that are drawn in place at the end of what a terminal shows. */
export class Screen {
  readonly #outlet: Outlet;
  readonly #update: ReturnType<typeof createLogUpdate>;
  #lines: readonly string[] = [];
  #columns = 0;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
    const { stream } = outlet;
    // Where terminals and we disagree on a character's width, a line must not spill into the next row.
    const write = (text: string): void => outlet.write(wrapOff + text + wrapOn);
    const columns = Number.MAX_SAFE_INTEGER;
    const unwrapped: LiveStream = Object.create(stream, { write: { value: write }, columns: { value: columns } });
    // The library hides the cursor of the process's own terminal, and shows it again when the process ends.
    const isOwn = stream === process.stderr || stream === process.stdout;
    this.#update = createLogUpdate(unwrapped, { showCursor: !isOwn });
  }

  get isDrawn(): boolean {
    return this.#lines.length > 0;
  }

  draw(lines: readonly string[]): void {
    if (lines.length === 0) return this.clear();
    if (this.#outlet.columns < this.#columns) this.clear();
    this.#update(lines.join("\n"));
    this.#lines = lines;
    this.#columns = this.#outlet.columns;
  }

  /** Takes the lines away and shows the cursor again. */
  clear(): void {
    if (!this.isDrawn) return;
    const broken = this.#rowsAdded();
    if (broken > 0) this.#outlet.write(eraseRow.repeat(broken));
    this.#update.clear();
    this.#update.done();
    this.#lines = [];
  }

  /** How many rows more the lines take since the terminal was made narrower: terminals break them anew. */
  #rowsAdded(): number {
    const columns = Math.max(1, this.#outlet.columns);
    if (columns >= this.#columns) return 0;
    const rows = this.#lines.map((line) => Math.ceil(widthOf(unpainted(line), this.#columns) / columns));
    return rows.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  }
}
