import type { SchedulerLike, Subscription } from "rxjs";
import { attempt } from "../errors.ts";
import { unheld } from "../events/index.ts";
import type { Display } from "./display.ts";
import { type Grid, nameRoom, printLine } from "./line.ts";
import type { Outlet } from "./outlet.ts";
import type { Row } from "./row.ts";
import { Screen } from "./screen.ts";
import type { Theme } from "./theme.ts";
import { pad, widthOf } from "./width.ts";

export interface DrawingOptions {
  readonly outlet: Outlet;
  /** How often the picture is drawn, in milliseconds. */
  readonly intervalMs: number;
  readonly scheduler: SchedulerLike;
  readonly theme: Theme;
}

const noGrid: Grid = { name: 0, rate: 0, left: 0 };

/** A picture of all rows that is drawn anew while there are any. */
export class Drawing implements Display {
  readonly #options: DrawingOptions;
  readonly #screen: Screen;
  readonly #rows = new Set<Row>();
  #grid = noGrid;
  #frame = 0;
  #timer: Subscription | undefined;
  #isPaused = false;

  constructor(options: DrawingOptions) {
    this.#options = options;
    this.#screen = new Screen(options.outlet);
  }

  open(row: Row): void {
    if (this.#rows.size === 0) this.#options.outlet.stream.on("resize", this.#resize);
    this.#rows.add(row);
    this.#wait();
  }

  /** The next drawing shows it: a call that is over before appears not at all. */
  change(): void {}

  close(row: Row, text: string | undefined): void {
    this.#rows.delete(row);
    if (text !== undefined) this.log(`  ${pad(row.name, Math.max(this.#grid.name, this.#widthOf(row)))}  ${text}`);
    else if (this.#screen.isDrawn) this.#draw();
    if (this.#rows.size > 0) return;
    this.#grid = noGrid;
    this.#stop();
    this.#options.outlet.stream.off("resize", this.#resize);
  }

  log(text: string): void {
    const wasDrawn = this.#screen.isDrawn;
    this.#clear();
    this.#options.outlet.writeLine(text);
    if (wasDrawn) this.#draw();
  }

  pause(): void {
    this.#isPaused = true;
    this.#stop();
    this.#clear();
    this.#options.outlet.hold();
  }

  resume(): void {
    this.#isPaused = false;
    this.#options.outlet.release();
    this.#wait();
  }

  readonly #resize = (): void => {
    if (this.#screen.isDrawn) this.#draw();
  };

  #wait(): void {
    if (this.#isPaused || this.#rows.size === 0) return;
    const { scheduler, intervalMs } = this.#options;
    this.#timer ??= unheld(scheduler.schedule(() => this.#tick(), intervalMs));
  }

  #tick(): void {
    this.#timer = undefined;
    this.#frame += 1;
    this.#draw();
    this.#wait();
  }

  #stop(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
  }

  #clear(): void {
    attempt(() => this.#screen.clear());
  }

  #draw(): void {
    attempt(() => this.#screen.draw(this.#print()));
  }

  /** As many lines as there is room for above the cursor's. */
  #print(): readonly string[] {
    const { outlet, scheduler, theme } = this.#options;
    const room = Math.max(1, (outlet.stream.rows ?? 24) - 1);
    const rows = [...this.#rows].filter(({ isEnded }) => !isEnded);
    const shown = rows.slice(0, rows.length > room ? room - 1 : room);
    const all = shown.map((row) => ({ row, cells: row.cells(scheduler.now()) }));
    for (const { row, cells } of all) {
      const { name, rate, left } = this.#grid;
      this.#grid = {
        name: Math.max(name, this.#widthOf(row)),
        rate: Math.max(rate, cells.rate.length),
        left: Math.max(left, cells.left.length),
      };
    }
    const common = { grid: this.#grid, columns: outlet.columns, frame: this.#frame, theme };
    const lines = all.map(({ row, cells }) => printLine(cells, { name: row.name, ...common }));
    const hidden = rows.length - shown.length;
    return hidden === 0 ? lines : [...lines, theme.quiet(`  … and ${hidden} more`)];
  }

  #widthOf({ name }: Row): number {
    return widthOf(name, nameRoom(this.#options.outlet.columns));
  }
}
