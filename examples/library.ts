// Prompts and resources take their time, too, and report like tools.
import assert from "node:assert/strict";
import { createMcpServer, definePrompt, defineResource, McpError, type ProgressUpdate } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { z } from "zod";

const shelf = new Map([
  ["moby-dick", ["Call me Ishmael.", "Some years ago,", "never mind how long precisely"]],
  ["emma", ["Emma Woodhouse,", "handsome, clever, and rich"]],
]);

// #region prompt
const compare = definePrompt({
  name: "compare",
  description: "Asks for a comparison of two books",
  argsSchema: z.object({ one: z.string(), other: z.string() }),
  handler: async ({ one, other }, ctx) => {
    const openings: string[] = [];
    for await (const book of ctx.track([one, other], (book) => `opened ${book}`)) {
      openings.push(`${book}: ${shelf.get(book)?.[0]}`);
    }
    return `Compare how these books begin.\n${openings.join("\n")}`;
  },
});
// #endregion

// #region resource
const book = defineResource({
  uriTemplate: "book://{title}",
  name: "book",
  mimeType: "text/plain",
  read: async (uri, { title }, ctx) => {
    const pages = shelf.get(title);
    if (pages === undefined) throw new McpError(-32602, "Resource not found", { uri });
    const read: string[] = [];
    for await (const page of ctx.track(pages, (_page, index) => `page ${index + 1}`)) read.push(page);
    return read.join(" ");
  },
});
// #endregion

const server = createMcpServer({ name: "library", version: "1.0.0", prompts: [compare], resources: [book] });
const client = connect(server);
const updates: ProgressUpdate[] = [];
const onProgress = (update: ProgressUpdate) => updates.push(update);

await client.getPrompt("compare", { one: "moby-dick", other: "emma" }, { onProgress });
assert.deepEqual(updates.splice(0), [
  { progress: 1, total: 2, message: "opened moby-dick" },
  { progress: 2, total: 2, message: "opened emma" },
]);

const { contents } = await client.readResource("book://emma", { onProgress });
assert.deepEqual(updates, [
  { progress: 1, total: 2, message: "page 1" },
  { progress: 2, total: 2, message: "page 2" },
]);
console.log(contents.map((content) => ("text" in content ? content.text : content.uri)).join("\n"));
await assert.rejects(client.readResource("book://ulysses"), McpError);

client.close();
