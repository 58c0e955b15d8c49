// Named steps with a total: each step is announced when it begins, so that a bar says what is going on now.
import assert from "node:assert/strict";
import { setTimeout as work } from "node:timers/promises";
import { createMcpServer, defineTool } from "mcp-headway";
import { connect } from "mcp-headway/client";

const steps = ["Collect the tickets", "Write the table", "Upload it"];

// #region tool
const exportTickets = defineTool({
  name: "export_tickets",
  description: "Writes all tickets to a table and uploads it",
  handler: async (_args, ctx) => {
    const bar = ctx.longProgress(steps.length);
    for (const [done, step] of steps.entries()) {
      bar.emit(done, step);
      await work(5);
    }
    bar.emit(steps.length, "Done");
    return { url: "https://files.example/tickets.csv" };
  },
});
// #endregion

const client = connect(createMcpServer({ name: "help-desk", version: "1.0.0", tools: [exportTickets] }));

const seen: string[] = [];
await client.callTool(
  "export_tickets",
  {},
  {
    onProgress: ({ progress, total = 0, message }) => seen.push(`${Math.round((100 * progress) / total)} % ${message}`),
  },
);
console.log(seen.join("\n"));
assert.deepEqual(seen, ["0 % Collect the tickets", "33 % Write the table", "67 % Upload it", "100 % Done"]);

client.close();
