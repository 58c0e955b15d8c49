// The tools that the tests beside this file put to the test.
import { defineTool, reportTo } from "mcp-headway";
import { concatMap, from, type Observable, toArray } from "rxjs";
import { z } from "zod";

// #region stream
/** Measures the beds one after the other. Its handler returns an Observable, so a diagram can show all of it. */
export function surveyBeds(measure: (bed: string) => Observable<string>) {
  return defineTool({
    name: "survey_beds",
    description: "Measures how dry the beds are",
    inputSchema: z.object({ beds: z.array(z.string()) }),
    handler: ({ beds }, ctx) =>
      from(beds).pipe(concatMap(measure), reportTo(ctx.countingProgress(beds.length)), toArray()),
  });
}
// #endregion

// #region drained
/** Imports as fast as its client reads, and stops when the client leaves. */
export const importReadings = defineTool({
  name: "import_readings",
  description: "Imports what the sensors have measured",
  inputSchema: z.object({ count: z.int() }),
  cadence: "every",
  handler: async ({ count }, ctx) => {
    const readings = ctx.countingProgress(count);
    for (let reading = 0; reading < count; reading += 1) {
      readings.emit();
      await ctx.drained();
      ctx.signal.throwIfAborted();
    }
    return { count };
  },
});
// #endregion

// #region timers
/** Waits for real time, behind a promise. */
export const sprinkle = defineTool({
  name: "sprinkle",
  description: "Waters the lawn for some minutes",
  inputSchema: z.object({ minutes: z.int() }),
  handler: async ({ minutes }, ctx) => {
    const passed = ctx.countingProgress(minutes);
    for (let minute = 0; minute < minutes; minute += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      passed.emit();
    }
    return "The lawn is wet";
  },
});
// #endregion
