type Paint = (text: string) => string;

const esc = "\u001b";

/** What lines are drawn with. */
export interface Theme {
  readonly frames: readonly string[];
  readonly question: string;
  readonly done: string;
  readonly rest: string;
  readonly strong: Paint;
  readonly quiet: Paint;
  readonly urgent: Paint;
}

/** What of the surroundings decides how lines look. */
export interface Surroundings {
  readonly TERM?: string | undefined;
  readonly NO_COLOR?: string | undefined;
}

/** The theme for a terminal. https://no-color.org */
export function themeFor({ TERM, NO_COLOR }: Surroundings): Theme {
  const isPlain = NO_COLOR !== undefined && NO_COLOR !== "";
  return {
    // The console of Linux has a font without Braille.
    ...(TERM === "linux" ? ascii : unicode),
    strong: isPlain ? same : sgr(36, 39),
    quiet: isPlain ? same : sgr(2, 22),
    urgent: isPlain ? same : sgr(33, 39),
  };
}

const unicode = { frames: [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"], question: "?", done: "━", rest: "─" };
const ascii = { frames: [..."|/-\\"], question: "?", done: "#", rest: "-" };

function same(text: string): string {
  return text;
}

function sgr(on: number, off: number): Paint {
  return (text) => (text === "" ? "" : `${esc}[${on}m${text}${esc}[${off}m`);
}

const style = new RegExp(`${esc}\\[[0-9]+m`, "g");

/** What a theme has painted, without the paint. */
export function unpainted(text: string): string {
  return text.replace(style, "");
}
