export { createLiveLines, type LineOptions, type LiveLine, type LiveLines } from "./live.ts";
export type { LiveLinesOptions } from "./options.ts";
export type { LiveStream } from "./outlet.ts";
