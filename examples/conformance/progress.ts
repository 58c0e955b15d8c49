// Tools that take a while and say how far they are.
import { setTimeout as work } from "node:timers/promises";
import { defineTool } from "mcp-headway";
import { z } from "zod";

const progress = defineTool({
  name: "test_tool_with_progress",
  description: "Reports 0, 50 and 100 of 100",
  handler: async (_args, ctx) => {
    const steps = ctx.longProgress(100);
    steps.emit(0, "Completed step 0 of 100");
    await work(50);
    steps.emit(50, "Completed step 50 of 100");
    await work(50);
    steps.emit(100, "Completed step 100 of 100");
    return "All steps are completed";
  },
});

const progressThenQuestion = defineTool({
  name: "test_streaming_elicitation",
  description: "Reports, asks, and reports on when it is answered",
  handler: async (_args, ctx) => {
    const { prepare, finish } = ctx.phases({ prepare: 1, finish: 1 });
    prepare.done("Prepared");
    const { action } = await ctx.elicit("Shall I finish?", z.object({ ok: z.boolean() }), { key: "finish" });
    finish.done("Finished");
    return `Streaming complete: ${action}`;
  },
});

export const progressTools = [progress, progressThenQuestion];
