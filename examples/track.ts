// The shortest way to report a loop: `track` yields the items and counts them as they are done.
import assert from "node:assert/strict";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { z } from "zod";

const store = new Map<string, number>();

// #region tool
const importStock = defineTool({
  name: "import_stock",
  description: "Imports the stock, article by article",
  inputSchema: z.object({ articles: z.array(z.object({ name: z.string(), count: z.int() })) }),
  handler: async ({ articles }, ctx) => {
    for await (const { name, count } of ctx.track(articles, ({ name }) => `imported ${name}`)) {
      store.set(name, count);
    }
    return `Imported ${store.size} articles`;
  },
});
// #endregion

const client = connect(createMcpServer({ name: "warehouse", version: "1.0.0", tools: [importStock] }));
const articles = [
  { name: "teapots", count: 12 },
  { name: "cups", count: 48 },
];

const updates: ProgressUpdate[] = [];
await client.callTool("import_stock", { articles }, { onProgress: (update) => updates.push(update) });
assert.equal(store.get("cups"), 48);
assert.deepEqual(updates, [
  { progress: 1, total: 2, message: "imported teapots" },
  { progress: 2, total: 2, message: "imported cups" },
]);
for (const { message } of updates) console.log(message);

client.close();
