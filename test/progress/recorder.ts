import { Subject } from "rxjs";
import { type Diagnostic, Line, type RequestEvent } from "../../src/events/index.ts";
import { ProgressSource, type ProgressUpdate } from "../../src/progress/index.ts";

/** A source over a real line, and what came out of it. */
export function createRecorder({ listening = true }: { listening?: boolean } = {}) {
  const events = new Subject<RequestEvent>();
  const sent: ProgressUpdate[] = [];
  const diagnostics: Diagnostic[] = [];
  events.subscribe((event) => {
    if (event.type !== "progress") return;
    const { type, ...update } = event;
    sent.push(update);
  });
  const line = new Line(events, { listening, report: (diagnostic) => diagnostics.push(diagnostic) });
  const finish = () => line.end({ type: "result", result: {} });
  return { source: new ProgressSource(line), sent, diagnostics, events, line, finish };
}

/** What a function throws, or `undefined`. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
