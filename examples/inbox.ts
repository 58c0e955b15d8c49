// No total: nobody knows how many mails there are, so the tool counts up and clients show activity.
import assert from "node:assert/strict";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect } from "mcp-headway/client";

async function* pages() {
  yield ["Printer is on fire", "Where is my parcel?"];
  yield [];
  yield ["Thanks!"];
}

// #region tool
const scanInbox = defineTool({
  name: "scan_inbox",
  description: "Reads the inbox to its end",
  handler: async (_args, ctx) => {
    const mails = ctx.longProgress();
    let count = 0;
    for await (const page of pages()) {
      count += page.length;
      // An emitter refuses a value that does not increase: an empty page is no progress.
      if (page.length > 0) mails.emit(count, `${count} mails read`);
    }
    return { count };
  },
});
// #endregion

const client = connect(createMcpServer({ name: "help-desk", version: "1.0.0", tools: [scanInbox] }));

const updates: ProgressUpdate[] = [];
const result = await client.callTool("scan_inbox", {}, { onProgress: (update) => updates.push(update) });
assert.deepEqual(result.structuredContent, { count: 3 });
assert.deepEqual(updates, [
  { progress: 2, message: "2 mails read" },
  { progress: 3, message: "3 mails read" },
]);
for (const { message } of updates) console.log(message);

client.close();
