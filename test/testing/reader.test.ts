import { defineTool } from "mcp-headway";
import { expect, it } from "vitest";
import { slowClient, toolCall } from "../../src/testing/index.ts";

it("what a client was told to read and did not get is not taken from a later request", async () => {
  const client = slowClient(defineTool({ name: "a", description: "d", handler: (_args, ctx) => ctx.progress(1) }));
  for (const id of [1, 2]) {
    client.send(toolCall("a"));
    const reads = id === 1 ? [client.read(2), client.read(3)] : [client.read(1)];
    expect(await Promise.all(reads)).toMatchObject(id === 1 ? [[{}, { id: 1 }], []] : [[{ params: { progress: 1 } }]]);
  }
  expect(client.received).toHaveLength(3);
  await expect(client.read(0)).rejects.toThrow("Expected `count` to be an integer of at least 1, got 0");
});
