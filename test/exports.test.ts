import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../", import.meta.url);
const { exports: entries } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

/** The runtime names of each entry, frozen: a change here is a change for every user. */
const surface = {
  ".": [
    "Cancelled",
    "Deadline",
    "Disconnected",
    "InvalidProgressError",
    "McpError",
    "MissingCapabilityError",
    "NonIncreasingProgressError",
    "ToolError",
    "Unanswered",
    "UnsupportedRevisionError",
    "createMcpServer",
    "definePrompt",
    "defineResource",
    "defineTool",
    "isUnanswered",
    "reportTo",
  ],
  "./client": ["MalformedResult", "TooManyRounds", "connect", "observeProgress", "progressState"],
  "./http": ["createHttpListener", "serveHttp"],
  "./websocket": ["serveWebSocket"],
  "./stdio": ["guardStdout", "serveStdio"],
  "./testing": [
    "DiagramError",
    "collectProgress",
    "leavingClient",
    "marbles",
    "recordLifecycle",
    "slowClient",
    "toolCall",
  ],
  "./terminal": ["createLiveLines"],
  "./sdk": [
    "contextDiagnostics",
    "createMount",
    "verifyRequestState",
    "withPromptContext",
    "withResourceContext",
    "withToolContext",
  ],
  "./sdk/websocket": ["WebSocketClientTransport", "serveTransports"],
} as const;

describe("the package", () => {
  it("has exactly these entries", () => {
    expect(Object.keys(entries).sort()).toEqual([...Object.keys(surface), "./package.json"].sort());
  });

  it.each(Object.entries(surface))("exports exactly these names from %s", async (entry, names) => {
    const built: Record<string, unknown> = await import(new URL(entries[entry].default, root).href);
    expect(Object.keys(built).sort()).toEqual([...names].sort());
    expect(Object.values(built)).not.toContain(undefined);
  });

  it.each(Object.keys(surface))("puts the types of %s first", (entry) => {
    expect(Object.keys(entries[entry])).toEqual(["types", "default"]);
  });
});
