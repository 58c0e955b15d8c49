import { token } from "../workload.js";

export const protocolVersion = "2026-07-28";
let lastId = 0;

/**
 * The text of one `tools/call`.
 * @param {string} name
 * @param {object} args
 * @param {{ listening?: boolean }} [options]
 */
export function toolCall(name, args, { listening = true } = {}) {
  lastId += 1;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": protocolVersion,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(listening && { progressToken: token }),
  };
  return JSON.stringify({ jsonrpc: "2.0", id: lastId, method: "tools/call", params: { name, arguments: args, _meta } });
}
