// Lines for people at a terminal: two calls at once, each with its line, and a question in between.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { setTimeout as work } from "node:timers/promises";
import { createMcpServer, defineTool } from "mcp-headway";
import { connect, type ElicitResult } from "mcp-headway/client";
import { createLiveLines } from "mcp-headway/terminal";
import { lastValueFrom } from "rxjs";
import { z } from "zod";

const importStock = defineTool({
  name: "import",
  description: "Imports the stock",
  handler: async (_args, ctx) => {
    for await (const _ of ctx.track(["tea", "cups", "pots"], (item) => `imported ${item}`)) await work(20);
    return "Imported 3 articles";
  },
});

const deploy = defineTool({
  name: "deploy",
  description: "Deploys the shop",
  handler: async (_args, ctx) => {
    ctx.progress(1, 2, "built");
    const { action } = await ctx.elicit("Deploy now?", z.object({ sure: z.boolean() }));
    ctx.progress(2, 2, "deployed");
    return action;
  },
});

const server = createMcpServer(
  { name: "shop", version: "1.0.0", tools: [importStock, deploy] },
  { requestState: { keys: [{ id: "1", secret: randomBytes(32) }] } },
);

/** Stands in for a prompt at the terminal. */
const prompt = async (): Promise<ElicitResult> => ({ action: "accept", content: { sure: true } });

// No terminal: plain lines, without colours and without a cursor to move.
const written: string[] = [];
const stream = new Writable({
  decodeStrings: false,
  write: (text, _encoding, done) => {
    written.push(text);
    done();
  },
});

// #region lines
const live = createLiveLines({ stream, plainEveryMs: 1_000 });
const client = connect(server, { onElicit: () => live.aside(prompt) });

const line = live.open("import");
const importing = line.closeAfter(client.callTool("import", {}, { onProgress: line.update }));

const deployment = client.streamTool("deploy").pipe(live.line("deploy", { ending: () => "100 %  deployed" }));

await Promise.all([importing, lastValueFrom(deployment)]);
live.log("Both done");
// #endregion

const text = written.join("");
console.log(text.trimEnd());
assert.match(text, /^import {2} 33 % {2}imported tea$/m);
assert.match(text, /^import {2}ended after \d+\.\d s$/m);
assert.match(text, /^deploy {2} 50 % {2}built$/m);
assert.match(text, /^deploy {2}100 % {2}deployed$/m);
assert.match(text, /^Both done$/m);
assert.doesNotMatch(text, /\p{Cc}(?<!\n)/u);
// After its first update a call says nothing for a second, then that it has ended.
assert.equal(text.split("\n").length, 6);

client.close();
