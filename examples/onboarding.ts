// Two questions and a charge between them: the handler runs three times, the card is charged once.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect, type ElicitRequest, type ElicitResult } from "mcp-headway/client";
import { z } from "zod";

const charges: { readonly email: string; readonly idempotencyKey: string }[] = [];
let checks = 0;

async function checkService(): Promise<void> {
  checks += 1;
}

async function charge(email: string, idempotencyKey: string): Promise<{ readonly receipt: string }> {
  charges.push({ email, idempotencyKey });
  return { receipt: `R-${charges.length}` };
}

// #region tool
const onboard = defineTool({
  name: "onboard",
  description: "Opens an account for a new team and charges the first month",
  handler: async (_args, ctx) => {
    await checkService();
    ctx.progress(1, 3, "The service is up");
    const owner = await ctx.elicit("Who owns the account?", z.object({ email: z.email() }));
    if (owner.action !== "accept") return "No account was opened";

    const { email } = owner.content;
    const { receipt } = await ctx.once("charge", () => charge(email, ctx.callId));
    ctx.progress(2, 3, `Charged ${email}`);

    const size = await ctx.elicit("How many seats?", z.object({ seats: z.int().min(1).max(50) }));
    const seats = size.action === "accept" ? size.content.seats : 1;
    ctx.progress(3, 3, "Opened the account");
    return { email, seats, receipt };
  },
});
// #endregion

const keys = [{ id: "1", secret: randomBytes(32) }];
const server = createMcpServer({ name: "accounts", version: "1.0.0", tools: [onboard] }, { requestState: { keys } });

// #region answer
const onElicit = async ({ params }: ElicitRequest): Promise<ElicitResult> => {
  console.log(params.message);
  if (params.message.startsWith("How many")) return { action: "accept", content: { seats: 3 } };
  return { action: "accept", content: { email: "ada@example.com" } };
};
const client = connect(server, { onElicit });
// #endregion

const updates: ProgressUpdate[] = [];
const result = await client.callTool("onboard", {}, { onProgress: (update) => updates.push(update) });
assert.deepEqual(result.structuredContent, { email: "ada@example.com", seats: 3, receipt: "R-1" });
assert.equal(checks, 3);
assert.equal(charges.length, 1);

// What a client has been told is not told again when the handler runs once more.
assert.deepEqual(
  updates.map(({ progress }) => progress),
  [1, 2, 3],
);

// Another call is another key, and whoever declines is not charged.
const declined = await client.callTool("onboard", {}, { onElicit: () => ({ action: "decline" }) });
assert.deepEqual(declined.content, [{ type: "text", text: "No account was opened" }]);
await client.callTool("onboard");
assert.equal(new Set(charges.map(({ idempotencyKey }) => idempotencyKey)).size, 2);
console.log(`${charges.length} calls, ${charges.length} charges`);

client.close();
