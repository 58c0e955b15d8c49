import { Writable } from "node:stream";
import { VirtualTimeScheduler } from "rxjs";

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
}

const esc = "\u001b";
const piece = new RegExp(`${esc}\\[(\\??)([0-9;]*)([A-Za-z])|.`, "gsu");

/** As much of a terminal as a picture needs: the cursor, line ends, erasing. It remembers all that was written. */
export class Terminal extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** All that was written. */
  raw = "";
  #lines: string[] = [""];
  #row = 0;
  #column = 0;

  constructor({ columns = 80, rows = 24 }: TerminalOptions = {}) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
  }

  /** What a person sees, without empty lines at the end. */
  get picture(): readonly string[] {
    const last = this.#lines.findLastIndex((line) => line !== "");
    return this.#lines.slice(0, last + 1);
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    this.raw += text;
    for (const [all, isPrivate, count = "", letter] of text.matchAll(piece)) {
      if (letter === undefined) this.#type(all);
      else if (isPrivate === "") this.#obey(letter, Number(count || 1), count);
    }
    done();
  }

  #type(character: string): void {
    if (character === "\n") {
      this.#row += 1;
      this.#column = 0;
      this.#lines[this.#row] ??= "";
      return;
    }
    if (character === "\r") {
      this.#column = 0;
      return;
    }
    const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column += 1;
  }

  #obey(letter: string, count: number, text: string): void {
    if (letter === "A") this.#row = Math.max(0, this.#row - count);
    if (letter === "B") this.#row += count;
    if (letter === "J") this.#lines.length = this.#row + 1;
    if (letter === "J") this.#lines[this.#row] = (this.#lines[this.#row] ?? "").slice(0, this.#column);
    if (letter === "G") this.#column = count - 1;
    if (letter !== "K") return;
    const line = this.#lines[this.#row] ?? "";
    this.#lines[this.#row] = text === "2" ? "" : line.slice(0, this.#column);
  }
}

/** Time that passes when it is told to. */
export class Clock extends VirtualTimeScheduler {
  pass(ms: number): void {
    const until = this.frame + ms;
    this.maxFrames = until;
    this.flush();
    this.frame = until;
  }
}

/** A sink that is no terminal. */
export class Pipe extends Writable {
  text = "";

  constructor() {
    super({ decodeStrings: false });
  }

  get lines(): readonly string[] {
    return this.text.split("\n").slice(0, -1);
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    this.text += text;
    done();
  }
}
