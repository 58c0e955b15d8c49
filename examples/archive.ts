// Prompts and resources may ask, too.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createMcpServer, definePrompt, defineResource, McpError } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { z } from "zod";

const audit: string[] = [];
const records = new Map([["41", "Paid late, twice."]]);

// #region prompt
const tones = z.union([
  z.literal("warm").meta({ title: "Warm, first names" }),
  z.literal("formal").meta({ title: "Formal, as to a court" }),
]);

const reply = definePrompt({
  name: "reply",
  description: "Asks for a reply to a customer",
  argsSchema: z.object({ customer: z.string() }),
  handler: async ({ customer }, ctx) => {
    const { content } = await ctx.elicit("In which tone?", z.object({ tone: tones.default("formal") }));
    return `Write a ${content?.tone ?? "formal"} reply to customer ${customer}.`;
  },
});
// #endregion

// #region resource
const record = defineResource({
  uriTemplate: "record://{id}",
  name: "record",
  mimeType: "text/plain",
  read: async (uri, { id }, ctx) => {
    const text = records.get(id);
    if (text === undefined) throw new McpError(-32602, "Resource not found", { uri });
    const asked = await ctx.elicit(`Record ${id} is confidential. Why do you need it?`, z.object({ why: z.string() }));
    if (asked.action !== "accept") throw new McpError(-32000, "The record stays closed");
    await ctx.once("audit", () => {
      audit.push(`${id}: ${asked.content.why}`);
    });
    return text;
  },
});
// #endregion

const keys = [{ id: "1", secret: randomBytes(32) }];
const server = createMcpServer(
  { name: "archive", version: "1.0.0", prompts: [reply], resources: [record] },
  { requestState: { keys } },
);
const client = connect(server);

const prompt = await client.getPrompt(
  "reply",
  { customer: "41" },
  {
    onElicit: ({ params }) => {
      assert.ok(params.mode !== "url");
      console.log(params.message, JSON.stringify(params.requestedSchema.properties.tone?.oneOf));
      return { action: "accept", content: { tone: "warm" } };
    },
  },
);
assert.deepEqual(prompt.messages[0]?.content, { type: "text", text: "Write a warm reply to customer 41." });

const { contents } = await client.readResource("record://41", {
  onElicit: () => ({ action: "accept", content: { why: "Annual review" } }),
});
assert.deepEqual(contents, [{ uri: "record://41", mimeType: "text/plain", text: "Paid late, twice." }]);
assert.deepEqual(audit, ["41: Annual review"]);
await assert.rejects(client.readResource("record://41", { onElicit: () => ({ action: "cancel" }) }), McpError);
assert.equal(audit.length, 1);
console.log(audit.join("\n"));

client.close();
