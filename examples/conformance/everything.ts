import { createMcpServer } from "mcp-headway";
import { argumentTools } from "./arguments.ts";
import { contentTools } from "./content.ts";
import { progressTools } from "./progress.ts";
import { prompts } from "./prompts.ts";
import { questionTools } from "./questions.ts";
import { resources } from "./resources.ts";
import { roundTools } from "./rounds.ts";
import { selectionTool } from "./selections.ts";

/** Offers what the scenarios of the official conformance suite call for, under the names that they use. */
export function createEverythingServer() {
  return createMcpServer(
    {
      name: "everything",
      version: "1.0.0",
      tools: [...contentTools, ...progressTools, ...argumentTools, ...questionTools, selectionTool, ...roundTools],
      prompts,
      resources,
    },
    {
      // Nothing here depends on who asks, and nothing changes.
      ttlMs: 300_000,
      cacheScope: "public",
      // A key of its own is enough for one process whose questions need not outlive it.
      requestState: { keys: [{ id: "everything", secret: crypto.getRandomValues(new Uint8Array(32)) }] },
    },
  );
}
