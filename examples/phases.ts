// Two pieces of work at once, one bar: phases have weights, and the request reports their sum against 1.
import assert from "node:assert/strict";
import { setTimeout as work } from "node:timers/promises";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect } from "mcp-headway/client";

// #region tool
const buildSite = defineTool({
  name: "build_site",
  description: "Renders the pages and shrinks the images",
  handler: async (_args, ctx) => {
    const { pages, images } = ctx.phases({ pages: 1, images: 3 });
    await Promise.all([renderPages(pages.countingProgress(4)), shrinkImages(images.percentProgress())]);
    return "The site is built";
  },
});
// #endregion

async function renderPages(rendered: { emit(message: string): boolean }): Promise<void> {
  for (const page of ["index", "about", "news", "contact"]) {
    await work(4);
    rendered.emit(`rendered ${page}`);
  }
}

async function shrinkImages(shrunk: { complete(fraction: number, message: string): boolean }): Promise<void> {
  for (const fraction of [0.25, 0.5, 0.75, 1]) {
    await work(6);
    shrunk.complete(fraction, `${fraction * 100} % of the images shrunk`);
  }
}

const client = connect(createMcpServer({ name: "site", version: "1.0.0", tools: [buildSite] }));

const updates: ProgressUpdate[] = [];
await client.callTool("build_site", {}, { onProgress: (update) => updates.push(update) });
for (const { progress, message } of updates) console.log(`${(progress * 100).toFixed(0).padStart(3)} % ${message}`);

// Whatever the two do to each other's timing, the bar only ever moves forward, and it ends at 1.
assert.equal(updates.length, 8);
for (const [index, { progress }] of updates.entries()) assert.ok(progress > (updates[index - 1]?.progress ?? 0));
assert.equal(updates.at(-1)?.progress, 1);

client.close();
