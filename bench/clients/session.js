/** The opening of a session, which targets of the legacy era want before their first call. */

import { callOn } from "./link.js";
import { clientInfo, nextId, protocolVersions } from "./request.js";
import { post } from "./sse.js";
import { openPipes } from "./stdio.js";

/** @param {import("../server.js").Server} server */
export async function openSession(server) {
  const params = { protocolVersion: protocolVersions.legacy, capabilities: {}, clientInfo };
  const initialize = JSON.stringify({ jsonrpc: "2.0", id: nextId(), method: "initialize", params });
  const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  if (server.carrier === "stdio") {
    const { reader, link } = callOn(server, openPipes, initialize);
    link.read();
    check(await reader.done);
    server.process.stdin?.write(`${initialized}\n`);
  } else {
    const { reader, read } = post(server, initialize);
    read();
    check(await reader.done);
    server.session = /^mcp-session-id: *(\S+)/im.exec(reader.head)?.[1];
    const answer = post(server, initialized);
    answer.read();
    await answer.closed;
    if (!answer.reader.head.startsWith("HTTP/1.1 202")) throw new Error(`Not taken: ${answer.reader.head}`);
  }
}

/** @param {any} response */
function check({ result }) {
  if (result.protocolVersion !== protocolVersions.legacy) throw new Error(`Another era: ${result.protocolVersion}`);
}
