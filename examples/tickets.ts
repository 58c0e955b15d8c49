// One update per ticket, when it is closed. Whether anybody listens makes no difference to the work.
import assert from "node:assert/strict";
import { setTimeout as work } from "node:timers/promises";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { z } from "zod";

// #region tool
const closeTickets = defineTool({
  name: "close_tickets",
  description: "Closes tickets one by one",
  inputSchema: z.object({ ids: z.array(z.string()) }),
  handler: async ({ ids }, ctx) => {
    let heard = 0;
    for (const [index, id] of ids.entries()) {
      await work(5);
      if (ctx.progress(index + 1, ids.length, `${id} is closed`)) heard += 1;
    }
    return { closed: ids, heard };
  },
});
// #endregion

const client = connect(createMcpServer({ name: "help-desk", version: "1.0.0", tools: [closeTickets] }));
const ids = ["T-7", "T-8", "T-12"];

const updates: ProgressUpdate[] = [];
const heard = await client.callTool("close_tickets", { ids }, { onProgress: (update) => updates.push(update) });
assert.deepEqual(heard.structuredContent, { closed: ids, heard: 3 });
assert.deepEqual(updates, [
  { progress: 1, total: 3, message: "T-7 is closed" },
  { progress: 2, total: 3, message: "T-8 is closed" },
  { progress: 3, total: 3, message: "T-12 is closed" },
]);
for (const { progress, total, message } of updates) console.log(`${progress}/${total} ${message}`);

// Without `onProgress` no token is sent, so nothing is reported and nothing fails.
const unheard = await client.callTool("close_tickets", { ids });
assert.deepEqual(unheard.structuredContent, { closed: ids, heard: 0 });
console.log("and the same in silence");

client.close();
