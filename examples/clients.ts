// A client's side: the stream of a call, what a display shows of it, and how long it may take.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as work } from "node:timers/promises";
import { Cancelled, createMcpServer, defineTool } from "mcp-headway";
import { connect, type ElicitResult, type ProgressState, progressState, type ToolEvent } from "mcp-headway/client";
import { lastValueFrom, map, Subject, tap } from "rxjs";
import { z } from "zod";

/** Stands in for a printer. */
const print = async (_sheet: number): Promise<void> => work(2);

const printPhotos = defineTool({
  name: "print_photos",
  description: "Prints a proof, and the rest if it is good",
  inputSchema: z.object({ sheets: z.int().min(1) }),
  handler: async ({ sheets }, ctx) => {
    const printed = ctx.countingProgress(sheets);
    await ctx.once("proof", () => print(1));
    printed.emit("the proof");
    const { content } = await ctx.elicit("Is the proof good?", z.object({ good: z.boolean() }));
    if (content?.good !== true) return "Printed the proof only";
    for (let sheet = 2; sheet <= sheets; sheet += 1) {
      await print(sheet);
      printed.emit(`sheet ${sheet}`);
    }
    return `Printed ${sheets} sheets`;
  },
});

let whyStopped: unknown;
const scan = defineTool({
  name: "scan",
  description: "Scans one page, and then its paper is jammed",
  handler: async (_args, ctx) => {
    ctx.progress(1, 8, "page 1");
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    whyStopped = ctx.signal.reason;
  },
});

const keys = [{ id: "1", secret: randomBytes(32) }];
const server = createMcpServer(
  { name: "lab", version: "1.0.0", tools: [printPhotos, scan] },
  { requestState: { keys } },
);

const said: string[] = [];
const say = (line: string): void => {
  said.push(line);
};
const onElicit = async (): Promise<ElicitResult> => ({ action: "accept", content: { good: true } });

// #region stream
function told(event: ToolEvent): string {
  switch (event.type) {
    case "progress":
      return `${event.progress} of ${event.total}: ${event.message}`;
    case "elicitation":
      return "The user is asked";
    case "result":
      return "It is done";
  }
}
const client = connect(server, { onElicit });
await client.streamTool("print_photos", { sheets: 3 }).pipe(map(told)).forEach(say);
// #endregion

assert.deepEqual(said.splice(0), [
  "1 of 3: the proof",
  "The user is asked",
  "2 of 3: sheet 2",
  "3 of 3: sheet 3",
  "It is done",
]);

// #region line
function line({ state, progress, fraction, message = "", etaMs }: ProgressState): string {
  switch (state) {
    case "waiting":
      return "Waiting";
    case "asking":
      return "Your answer is needed";
    case "ended":
      return "";
    case "running": {
      const done = fraction === undefined ? `${progress} so far` : `${Math.floor(100 * fraction)} %`;
      const left = etaMs ? `, ${Math.ceil(etaMs / 1_000)} s left` : "";
      return `${done}${left}: ${message}`;
    }
  }
}
// #endregion

// #region display
const display = new Subject<ToolEvent>();
display.pipe(progressState()).subscribe({
  next: (state) => say(line(state)),
  // The call below rejects with it.
  error: () => undefined,
});
const last = await lastValueFrom(client.streamTool("print_photos", { sheets: 4 }).pipe(tap(display)));
// #endregion

assert.equal(last.type, "result");
// How long it takes is the machine's affair.
const timeless = said.map((shown) => shown.replace(/, \d+ s left/, ""));
assert.deepEqual(timeless, [
  "Waiting",
  "25 %: the proof",
  "Your answer is needed",
  "50 %: sheet 2",
  "75 %: sheet 3",
  "100 %: sheet 4",
  "",
]);
for (const shown of said) console.log(shown);

// #region limits
const jammed = client.callTool("scan", {}, { timeoutMs: 50, resetTimeoutOnProgress: true, maxTotalTimeoutMs: 60_000 });
await assert.rejects(jammed, { name: "Deadline", message: "The request made no progress for 50 ms" });
// #endregion

assert.ok(whyStopped instanceof Cancelled);

// A display that fails is no reason for a call to fail.
const failures: unknown[] = [];
const clumsy = connect(server, { onElicit, onCallbackError: (error) => failures.push(error) });
const closed = new Error("The window was closed");
const onProgress = (): Promise<never> => Promise.reject(closed);
const { content } = await clumsy.callTool("print_photos", { sheets: 3 }, { onProgress });
assert.deepEqual(content, [{ type: "text", text: "Printed 3 sheets" }]);
assert.deepEqual(failures, [closed]);

clumsy.close();
client.close();
