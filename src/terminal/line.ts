import type { Cells } from "./cells.ts";
import { type Forms, join, layOut, narrow } from "./layout.ts";
import type { Theme } from "./theme.ts";
import { cut, pad } from "./width.ts";

/** The widths that the lines of a picture have in common, so that they stand in columns. */
export interface Grid {
  readonly name: number;
  readonly rate: number;
  readonly left: number;
}

export interface PrintOptions {
  /** Plain text. */
  readonly name: string;
  readonly grid: Grid;
  /** How wide the terminal is. */
  readonly columns: number;
  /** Turns the spinner. */
  readonly frame: number;
  readonly theme: Theme;
}

/** From this many columns on there is room for more than the time left. */
const wide = 60;
const percentWidth = "100 %".length;
/** A message in less room than this says nothing. */
const leastMessage = 6;

/** How wide a name may be. */
export function nameRoom(columns: number): number {
  return Math.max(1, Math.min(24, Math.floor(columns / 5)));
}

/** One call's line in a terminal: spinner, name, bar, percents, rate, time left and message, as far as there is room. */
export function printLine(cells: Cells, options: PrintOptions): string {
  const { columns, theme } = options;
  const { texts, room } = layOut(
    [printHead(cells, options), printGauge(cells, options), ...printFigures(cells, options)],
    columns,
  );
  const message = room < leastMessage ? "" : theme.quiet(cut(cells.message, room, "middle"));
  return join([...texts, message]);
}

function printHead({ state }: Cells, { name, grid, columns, frame, theme }: PrintOptions): Forms {
  const width = Math.min(grid.name, nameRoom(columns));
  const sign =
    state === "asking" ? theme.urgent(theme.question) : theme.strong(theme.frames[frame % theme.frames.length] ?? "");
  return [
    { text: `${sign} ${pad(name, width)}`, width: width + 2 },
    { text: sign, width: 1 },
  ];
}

/** A bar with a total, else the count in its place. */
function printGauge({ state, fraction, amount }: Cells, { columns, theme }: PrintOptions): Forms {
  if (state === "waiting") return [{ text: theme.quiet("waiting"), width: "waiting".length }];
  if (amount === "") return [];
  const barWidth = Math.min(24, Math.floor(columns / 8));
  const bare = narrow(amount.padStart(percentWidth));
  if (fraction === undefined) return [narrow(amount.padStart(barWidth + 1 + percentWidth)), bare];
  const done = Math.floor(barWidth * fraction);
  const bar = theme.strong(theme.done.repeat(done)) + theme.quiet(theme.rest.repeat(barWidth - done));
  return [{ text: `${bar} ${bare.text}`, width: barWidth + 1 + bare.width }, bare];
}

/** Rate and time left, or that the call waits for an answer. */
function printFigures({ state, rate, left }: Cells, { grid, columns, theme }: PrintOptions): readonly Forms[] {
  const unit = columns < wide ? "" : " left";
  const time = left === "" ? "" : left + unit;
  const figures = [
    columns < wide ? "" : rate.padStart(grid.rate),
    grid.left === 0 ? "" : time.padStart(grid.left + unit.length),
  ].filter((figure) => figure !== "");
  if (state !== "asking") return figures.map((figure) => [narrow(figure)]);
  const padded = "asking".padEnd(figures.join("  ").length);
  return [[padded, "asking"].map((text) => ({ text: theme.urgent(text), width: text.length }))];
}
