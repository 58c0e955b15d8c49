import { token as oneToken } from "../workload.js";

export const clientInfo = { name: "bench", version: "1.0.0" };
/** By the era of a target. */
export const protocolVersions = { modern: "2026-07-28", legacy: "2025-11-25" };
let lastId = 0;
export const nextId = () => ++lastId;

/**
 * @typedef {{ listening?: boolean, token?: string }} CallOptions
 * @param {import("../server.js").Server} server
 * @param {string} name
 * @param {object} args
 * @param {CallOptions} [options]
 */
export function toolCall({ era }, name, args, { listening = true, token = oneToken } = {}) {
  const id = nextId();
  const _meta = {
    ...(era === "modern" && {
      "io.modelcontextprotocol/protocolVersion": protocolVersions.modern,
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    }),
    ...(listening && { progressToken: token }),
  };
  const text = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta } });
  return { id, text };
}
