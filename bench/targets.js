/** What is compared. `era`: whether a client speaks one request at a time, or opens a session first. */

/** @typedef {import("./server.js").Carrier} Carrier */
/**
 * @typedef {{
 *   name: string, path: URL, era: "modern" | "legacy", carriers: readonly Carrier[], packages?: readonly string[],
 * }} Target `packages`: what a program installs for it
 */

/** @type {readonly Carrier[]} */
export const everywhere = ["sse", "stdio", "websocket"];
/** @type {readonly Carrier[]} */
const official = ["sse", "stdio"];

/** @type {readonly Target[]} */
export const targets = [
  { name: "headway", path: at("headway"), era: "modern", carriers: everywhere, packages: ["mcp-headway"] },
  {
    name: "sdk",
    path: at("sdk"),
    era: "modern",
    carriers: official,
    packages: ["@modelcontextprotocol/server", "@modelcontextprotocol/node", "zod"],
  },
  { name: "sdk1", path: at("sdk1"), era: "legacy", carriers: official, packages: ["@modelcontextprotocol/sdk", "zod"] },
  { name: "fastmcp", path: at("fastmcp"), era: "legacy", carriers: official, packages: ["fastmcp", "zod"] },
  { name: "raw", path: at("raw"), era: "modern", carriers: everywhere },
  { name: "batched", path: at("batched"), era: "modern", carriers: everywhere },
];

/** @param {string} name */
function at(name) {
  return new URL(`./targets/${name}.js`, import.meta.url);
}
