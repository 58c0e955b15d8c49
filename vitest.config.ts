import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^mcp-headway$/, replacement: source("index.ts") },
      { find: /^mcp-headway\/(client|testing|terminal|sdk)$/, replacement: source("$1/index.ts") },
      { find: /^mcp-headway\/sdk\/websocket$/, replacement: source("sdk/websocket.ts") },
      { find: /^mcp-headway\/(http|websocket|stdio)$/, replacement: source("transports/$1.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts", "examples/testing/vitest.test.ts"],
    setupFiles: ["test/quiet.ts"],
    sequence: { shuffle: true },
    testTimeout: 20_000,
  },
});
