// The smallest server over HTTP, and a call of it by the official client.
import assert from "node:assert/strict";

// #region server
import { setTimeout as work } from "node:timers/promises";
import { createMcpServer, defineTool } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { z } from "zod";

/** Stands in for sending a mail. */
const deliver = (_recipient: string, text: string) => work(text.length);

const notify = defineTool({
  name: "notify",
  description: "Sends a message to each recipient",
  inputSchema: z.object({ recipients: z.array(z.string()), text: z.string() }),
  handler: async ({ recipients, text }, ctx) => {
    const sent = ctx.countingProgress(recipients.length);
    for (const recipient of recipients) {
      await deliver(recipient, text);
      sent.emit(`sent to ${recipient}`);
    }
    return `Sent to ${recipients.length} recipients`;
  },
});

const server = createMcpServer({ name: "post", version: "1.0.0", tools: [notify] });
const { url, close } = await serveHttp(server);

// #endregion

// #region client
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client(
  { name: "reader", version: "1.0.0" },
  { versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));

const result = await client.callTool(
  { name: "notify", arguments: { recipients: ["Ada", "Grace", "Edsger"], text: "Tea is ready" } },
  { onprogress: ({ progress, total, message }) => console.log(`${progress} of ${total}: ${message}`) },
);
// 1 of 3: sent to Ada
// 2 of 3: sent to Grace
// 3 of 3: sent to Edsger
await client.close();
await close();
// #endregion

assert.deepEqual(result.content, [{ type: "text", text: "Sent to 3 recipients" }]);
