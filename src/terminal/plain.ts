import type { SchedulerLike, Subscription } from "rxjs";
import { unheld } from "../events/index.ts";
import type { Display } from "./display.ts";
import { join, layOut, narrow } from "./layout.ts";
import { nameRoom } from "./line.ts";
import type { Outlet } from "./outlet.ts";
import type { Row } from "./row.ts";
import { cut, pad, widthOf } from "./width.ts";

export interface PlainOptions {
  readonly outlet: Outlet;
  /** How often a call says something, in milliseconds. */
  readonly everyMs: number;
  readonly scheduler: SchedulerLike;
}

/** Lines for a log: each call says now and then how far it is, and once how it ended. No escape sequences. */
export class Plain implements Display {
  readonly #outlet: Outlet;
  readonly #everyMs: number;
  readonly #scheduler: SchedulerLike;
  /** The open rows, each with what it waits for before it may speak again. */
  readonly #waits = new Map<Row, Wait>();
  #isPaused = false;

  constructor({ outlet, everyMs, scheduler }: PlainOptions) {
    this.#outlet = outlet;
    this.#everyMs = everyMs;
    this.#scheduler = scheduler;
  }

  open(row: Row): void {
    this.#waits.set(row, { timer: undefined, hasNews: false });
  }

  change(row: Row): void {
    const wait = this.#waits.get(row);
    if (wait === undefined || row.isEnded) return;
    wait.hasNews = wait.timer !== undefined || this.#isPaused;
    if (!wait.hasNews) this.#outlet.writeLine(this.#print(row));
    wait.timer ??= unheld(this.#scheduler.schedule(() => this.#speak(row, wait), this.#everyMs));
  }

  close(row: Row, text: string | undefined): void {
    const seconds = ((this.#scheduler.now() - row.openedAt) / 1_000).toFixed(1);
    this.#outlet.writeLine(`${this.#name(row)}  ${text ?? `${row.outcome} after ${seconds} s`}`);
    this.#waits.get(row)?.timer?.unsubscribe();
    this.#waits.delete(row);
  }

  log(text: string): void {
    this.#outlet.writeLine(text);
  }

  pause(): void {
    this.#isPaused = true;
    this.#outlet.hold();
  }

  resume(): void {
    this.#isPaused = false;
    this.#outlet.release();
  }

  #speak(row: Row, wait: Wait): void {
    wait.timer = undefined;
    if (wait.hasNews) this.change(row);
  }

  #print(row: Row): string {
    const { state, amount, rate, left, message } = row.cells(this.#scheduler.now());
    const asking = state === "asking" ? "asking" : "";
    const name = this.#name(row);
    const figures = [amount.padStart(5), rate, left === "" ? "" : `${left} left`, asking];
    const said = figures.filter((figure) => figure.trim() !== "").map((figure) => [narrow(figure)]);
    const { texts, room } = layOut([[{ text: name, width: this.#nameWidth }], ...said], this.#outlet.columns);
    return join([...texts, cut(message, room)]);
  }

  #name(row: Row): string {
    return pad(row.name, this.#nameWidth);
  }

  /** That of the longest name, so that the lines stand in columns. */
  get #nameWidth(): number {
    const room = nameRoom(this.#outlet.columns);
    return Math.max(...[...this.#waits.keys()].map(({ name }) => widthOf(name, room)));
  }
}

interface Wait {
  timer: Subscription | undefined;
  hasNews: boolean;
}
