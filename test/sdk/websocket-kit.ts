import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type ListenOptions, serveTransports, type TakeTransport } from "mcp-headway/sdk/websocket";
import { Subject } from "rxjs";
import { onTestFinished } from "vitest";
import { z } from "zod";

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });

/** The official server, and what its handlers see. */
export function createOfficial() {
  const aborted = new Subject<unknown>();
  const notified = new Subject<number>();
  const create = (): McpServer => {
    const server = new McpServer({ name: "official", version: "1.0.0" });
    server.registerTool("count", { inputSchema: z.object({ to: z.number() }) }, async ({ to }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? "none";
      for (let progress = 1; progress <= to; progress += 1) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: to } });
      }
      return text(String(to));
    });
    server.registerTool("flood", { inputSchema: z.object({ to: z.number() }) }, async ({ to }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? "none";
      const sent: Promise<void>[] = [];
      for (let progress = 1; progress <= to; progress += 1) {
        const params = { progressToken, progress, message: "x".repeat(500) };
        sent.push(mcpReq.notify({ method: "notifications/progress", params }));
        if (sent.length >= 1_000) await Promise.race([Promise.all(sent.splice(0)), Promise.resolve()]);
      }
      notified.next(to);
      return text("flooded");
    });
    server.registerTool("ask", {}, async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? "none";
      const report = (progress: number) =>
        mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 3 } });
      await report(1);
      const requestedSchema = { type: "object", properties: { colour: { type: "string" } } } as const;
      const { action, content } = await mcpReq.elicitInput({ message: "Which colour?", requestedSchema });
      await report(2);
      return text(`${action} ${content?.colour}`);
    });
    server.registerTool("hold", {}, async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? "none";
      mcpReq.signal.addEventListener("abort", () => aborted.next(mcpReq.signal.reason));
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      return new Promise<CallToolResult>(() => undefined);
    });
    server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, async (args) => text(args.text));
    server.registerTool("who", {}, async ({ http }) => text(http?.authInfo?.clientId ?? "nobody"));
    server.registerTool("break", {}, async () => ({ ...text("broken"), structuredContent: { big: 1n } }));
    return server;
  };
  return { aborted, notified, create };
}

export interface ServeOptions extends ListenOptions {
  readonly take?: TakeTransport;
}

/** Serves the official server in both eras. */
export async function serveOfficial({ take, ...options }: ServeOptions = {}) {
  const official = createOfficial();
  const errors: unknown[] = [];
  const serve: TakeTransport =
    take ??
    ((transport) => void serveStdio(official.create, { transport, onerror: (error) => void errors.push(error) }));
  const handle = await serveTransports(serve, { closeGraceMs: 20, ...options });
  onTestFinished(() => handle.close());
  return { ...official, errors, handle, url: handle.url, port: new URL(handle.url).port };
}
