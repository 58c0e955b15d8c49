// A page to visit: accepting it is consent to open it. The call is put off until the page says it is done.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { createMcpServer, defineTool } from "mcp-headway";
import { connect, type ElicitRequest, type ElicitResult } from "mcp-headway/client";
import { z } from "zod";

/** What the web page knows, by the id that stands in its URL. */
const signatures = new Map<string, string>();
const page = new EventEmitter();

async function findSignature(id: string): Promise<string | undefined> {
  const signature = signatures.get(id);
  page.emit("looked up");
  return signature;
}

// #region tool
const signLease = defineTool({
  name: "sign_lease",
  description: "Has the tenant sign the lease on a page of ours",
  inputSchema: z.object({ flat: z.string() }),
  requires: { elicitation: { url: {} } },
  handler: async ({ flat }, ctx) => {
    const url = `https://sign.example/leases/${ctx.callId}`;
    const { action } = await ctx.elicitUrl(`Sign the lease of ${flat}`, url);
    if (action !== "accept") return "The lease was not signed";

    const tenant = await findSignature(ctx.callId);
    if (tenant === undefined) return ctx.later();
    return `${tenant} signed the lease of ${flat}`;
  },
});
// #endregion

const keys = [{ id: "1", secret: randomBytes(32) }];
const server = createMcpServer({ name: "leases", version: "1.0.0", tools: [signLease] }, { requestState: { keys } });

/** The user agrees, reads, and signs later: the tool has looked for the signature before it is there. */
const opened: string[] = [];
const onElicit = ({ params }: ElicitRequest): ElicitResult => {
  assert.ok(params.mode === "url");
  opened.push(params.url);
  const id = params.url.split("/").at(-1) ?? "";
  page.once("looked up", () => signatures.set(id, "Ada"));
  return { action: "accept" };
};

const client = connect(server, { onElicit, pacing: { firstMs: 5, longestMs: 20 } });
const { content } = await client.callTool("sign_lease", { flat: "12b" });
assert.deepEqual(content, [{ type: "text", text: "Ada signed the lease of 12b" }]);
assert.equal(opened.length, 1);
console.log("Asked once, looked again until the lease was signed");

const declined = await client.callTool("sign_lease", { flat: "12b" }, { onElicit: () => ({ action: "decline" }) });
assert.deepEqual(declined.content, [{ type: "text", text: "The lease was not signed" }]);

client.close();
