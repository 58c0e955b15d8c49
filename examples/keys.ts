// A call may go on at another process: all it needs is in the state that the client carries, and the key.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createMcpServer, defineTool, McpError, type StateKey } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { z } from "zod";

// #region tool
const transfer = defineTool({
  name: "transfer",
  description: "Transfers an amount once the user has said yes",
  inputSchema: z.object({ amount: z.int().positive() }),
  singleUse: true,
  handler: async ({ amount }, ctx) => {
    const { content } = await ctx.elicit(`Transfer ${amount}?`, z.object({ sure: z.boolean() }));
    return content?.sure ? `Transferred ${amount}` : "Nothing was transferred";
  },
});
// #endregion

const may: StateKey = { id: "2026-05", secret: randomBytes(32) };
const june: StateKey = { id: "2026-06", secret: randomBytes(32) };

/** Stands for one process; a real one would keep the nonces where all of them look. */
function start(keys: readonly StateKey[], ttlMs = 10 * 60_000) {
  // #region server
  const server = createMcpServer(
    { name: "bank", version: "1.0.0", tools: [transfer] },
    { requestState: { keys, ttlMs } },
  );
  // #endregion
  return connect(server, { capabilities: { elicitation: {} } });
}

const call = { name: "transfer", arguments: { amount: 40 } };
const yes = { action: "accept", content: { sure: true } };
const asked = await start([may]).request("tools/call", call);
assert.equal(asked.resultType, "input_required");
const [question] = Object.keys(asked.inputRequests ?? {});
assert.ok(question !== undefined);
const answered = { ...call, inputResponses: { [question]: yes }, requestState: asked.requestState };

// #region rotation
const rotated = start([june, may]);
const { content } = await rotated.request("tools/call", answered);
assert.deepEqual(content, [{ type: "text", text: "Transferred 40" }]);
// #endregion

// Not for another amount, not without the key, and, because the tool is `singleUse`, not twice.
const refused = (error: unknown) => error instanceof McpError && error.code === -32602;
await assert.rejects(start([may]).request("tools/call", { ...answered, arguments: { amount: 4_000 } }), refused);
await assert.rejects(start([june]).request("tools/call", answered), refused);
await assert.rejects(rotated.request("tools/call", answered), refused);
console.log("Asked by one process, answered at another, once");
