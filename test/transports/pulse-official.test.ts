import { setTimeout as wait } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpServer, defineTool } from "mcp-headway";
import { serveHttp } from "mcp-headway/http";
import { firstValueFrom, Subject } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";

const options = { timeout: 400, resetTimeoutOnProgress: true, onprogress: () => undefined };

/** A tool that is silent for two of the client's timeouts, and one that hangs; both say so every now and then. */
async function connect(forMs: number) {
  const aborted = new Subject<unknown>();
  const slow = defineTool({
    name: "slow",
    description: "Is silent, then answers",
    handler: async (_args, ctx) => {
      ctx.percentProgress().complete(0.5, "at work");
      ctx.pulse({ everyMs: 100, forMs });
      await wait(800);
      return "done";
    },
  });
  const hung = defineTool({
    name: "hung",
    description: "Never answers",
    handler: async (_args, ctx) => {
      ctx.pulse({ everyMs: 100, forMs });
      ctx.signal.addEventListener("abort", () => aborted.next(ctx.signal.reason));
      await new Promise(() => undefined);
    },
  });
  const handle = await serveHttp(createMcpServer({ name: "s", version: "1", tools: [slow, hung] }), {
    closeGraceMs: 20,
  });
  onTestFinished(() => handle.close());
  const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(handle.url)));
  onTestFinished(() => client.close());
  return { client, aborted };
}

describe("an official client whose timeout starts anew with each update", () => {
  it("waits for a silent call that pulses, and sees the bar stand still", async () => {
    const { client } = await connect(5_000);
    const values: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => values.push(progress);
    const result = await client.callTool({ name: "slow", arguments: {} }, { ...options, onprogress });
    expect(result.content).toEqual([{ type: "text", text: "done" }]);
    expect(values.length).toBeGreaterThan(3);
    expect(values.every((value) => value >= 0.5 && value - 0.5 < 1e-9)).toBe(true);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  it("gives up on one that pulses too briefly", async () => {
    const { client } = await connect(100);
    await expect(client.callTool({ name: "slow", arguments: {} }, options)).rejects.toThrow(/timed out/i);
  });

  it("gives up on a hung call once its pulse rests, and the handler hears of it", async () => {
    const { client, aborted } = await connect(300);
    const reason = firstValueFrom(aborted);
    await expect(client.callTool({ name: "hung", arguments: {} }, options)).rejects.toThrow(/timed out/i);
    expect(await reason).toBeInstanceOf(Error);
  });
});
