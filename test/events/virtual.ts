import { VirtualTimeScheduler } from "rxjs";
import {
  type Diagnostic,
  type Line,
  type RequestEvent,
  requestStream,
  type StreamOptions,
} from "../../src/events/index.ts";
import { ProgressSource } from "../../src/progress/index.ts";

export const every10 = { everyMs: 10, forMs: 1_000 };

/** A request under virtual time, and what it said when. */
export function open(options: Partial<StreamOptions> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const seen: [at: number, event: RequestEvent][] = [];
  const diagnostics: Diagnostic[] = [];
  let opened: Line | undefined;
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const stream = requestStream({ listening: true, report, cadence: "every", scheduler, ...options }, (line) => {
    opened = line;
  });
  const subscription = stream.subscribe((event) => seen.push([scheduler.frame, event]));
  if (opened === undefined) throw new Error("Expected the run to have started");
  const line: Line = opened;
  const advance = (toMs: number): void => {
    scheduler.maxFrames = toMs;
    scheduler.flush();
    scheduler.frame = toMs;
  };
  return { line, source: new ProgressSource(line), seen, diagnostics, advance, scheduler, subscription };
}

export const timesOf = (seen: readonly (readonly [number, RequestEvent])[]) => seen.map(([at]) => at);

export const valuesOf = (seen: readonly (readonly [number, RequestEvent])[]) =>
  seen.map(([at, event]) => [at, event.type === "progress" ? event.progress : event.type]);

export const messagesOf = (seen: readonly (readonly [number, RequestEvent])[]) =>
  seen.map(([at, event]) => [at, event.type === "progress" ? event.message : event.type]);
