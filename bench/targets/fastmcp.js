/** FastMCP, started as its README does; HTTP with its default sessions. */
import { once } from "node:events";
import { createServer } from "node:net";
import { FastMCP } from "fastmcp";
import { z } from "zod";
import { ready } from "../channel.js";
import { paces, perform, timeUnheard, total } from "../workload.js";

const server = new FastMCP({ name: "bench", version: "1.0.0" });

server.addTool({
  name: "work",
  description: "Reports progress",
  parameters: z.object({ count: z.number(), pace: z.enum(paces), durationMs: z.number().optional() }),
  execute: async (work, { reportProgress }) => {
    await perform(work, (progress, message) => reportProgress({ progress, total, message }));
    return "done";
  },
});

server.addTool({
  name: "unheard",
  description: "Times reports nobody asked for",
  execute: async (_args, { reportProgress }) =>
    String(timeUnheard((progress, message) => reportProgress({ progress, total, message }))),
});

if (process.argv[2] === "stdio") {
  await server.start({ transportType: "stdio" });
  ready();
} else {
  const port = await freePort();
  await server.start({ transportType: "httpStream", httpStream: { port, host: "127.0.0.1" } });
  ready({ port });
}

/** It takes no port 0. */
async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
