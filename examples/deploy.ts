// Two questions in one round, and one bar over what comes before and after them.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as work } from "node:timers/promises";
import { createMcpServer, defineTool, McpError, type ProgressUpdate } from "mcp-headway";
import { connect, type ElicitRequest } from "mcp-headway/client";
import { z } from "zod";

const [builds, started]: [string[], string[]] = [[], []];
let lookups = 0;

async function findCommit(version: string): Promise<string> {
  lookups += 1;
  return `commit-${version}`;
}

async function buildImage(commit: string, report: (fraction: number) => void): Promise<string> {
  report(0.5);
  await work(2);
  report(1);
  builds.push(commit);
  return `image:${commit}`;
}

// #region tool
const deploy = defineTool({
  name: "deploy",
  description: "Builds a version, asks where it goes and how, and rolls it out",
  inputSchema: z.object({ version: z.string() }),
  requires: { elicitation: { form: {} } },
  handler: async ({ version }, ctx) => {
    const commit = await findCommit(version);
    const { build, rollout } = ctx.phases({ build: 1, rollout: 1 });
    const built = build.percentProgress();
    const image = await ctx.once("build", () => buildImage(commit, (fraction) => built.complete(fraction)));
    // On a replay the build is skipped, but it has been done: the bar goes on from there.
    build.done();

    const [where, how] = await Promise.all([
      ctx.elicit("Where to?", z.object({ stage: z.enum(["staging", "production"]) })),
      ctx.elicit("How many hosts at first?", z.object({ hosts: z.int().min(1).max(9).default(1) })),
    ]);
    if (where.action !== "accept" || how.action !== "accept") return `${image} was built and not deployed`;

    const hosts = Array.from({ length: how.content.hosts }, (_, index) => `${where.content.stage}-${index + 1}`);
    for await (const host of rollout.track(hosts, (host) => `${host} runs ${version}`)) started.push(host);
    return { image, hosts };
  },
});
// #endregion

const keys = [{ id: "1", secret: randomBytes(32) }];
const server = createMcpServer({ name: "deployments", version: "1.0.0", tools: [deploy] }, { requestState: { keys } });
const onElicit = ({ params: { message } }: ElicitRequest) => {
  console.log(message);
  return {
    action: "accept",
    content: message.startsWith("Where") ? { stage: "staging" } : { hosts: 2 },
  } as const;
};
const client = connect(server, { onElicit });

const updates: ProgressUpdate[] = [];
const result = await client.callTool("deploy", { version: "2.1" }, { onProgress: (update) => updates.push(update) });
assert.deepEqual(result.structuredContent, { image: "image:commit-2.1", hosts: ["staging-1", "staging-2"] });
assert.equal(lookups, 2);
assert.deepEqual([builds, started], [["commit-2.1"], ["staging-1", "staging-2"]]);
assert.deepEqual(
  updates.map(({ progress }) => progress),
  [0.25, 0.5, 0.75, 1],
);

// A client that cannot be asked hears so before anything is built.
const mute = connect(server);
const refused = (error: unknown) => error instanceof McpError && error.code === -32021;
await assert.rejects(mute.callTool("deploy", { version: "2.2" }), refused);
assert.equal(lookups, 2);

mute.close();
client.close();
