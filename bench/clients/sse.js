/** An HTTP client on a bare socket. */
import { connect } from "node:net";
import { dechunk } from "./chunked.js";
import { splitLines } from "./lines.js";
import { Reader } from "./reader.js";
import { protocolVersion, toolCall } from "./request.js";

/** @type {import("./call.js").Call} */
export function callSse(server, name, args, { reading = true, listening = true } = {}) {
  const reader = new Reader();
  const body = toolCall(name, args, { listening });
  const socket = connect(server.port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.setEncoding("latin1");
  socket.write(`${requestHead(name, server.port, body.length)}${body}`);
  socket.on("error", (error) => reader.fail(error.message));
  const read = () => socket.on("data", readResponse(reader, socket));
  if (reading) read();
  return { reader, read, close: () => socket.destroy() };
}

/** @param {string} name @param {number} port @param {number} length */
function requestHead(name, port, length) {
  const lines = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${protocolVersion}`,
    "Mcp-Method: tools/call",
    `Mcp-Name: ${name}`,
    `Content-Length: ${length}`,
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** @param {Reader} reader @param {import("node:net").Socket} socket */
function readResponse(reader, socket) {
  const events = splitLines((text, start, end) => {
    if (text.startsWith("data:", start)) reader.message(text, start + 5, end);
  });
  let head = "";
  /** @type {((piece: string) => void) | undefined} */
  let onBody;
  socket.on("end", () => reader.response === undefined && reader.fail(`The response ended early: ${head}`));
  return (/** @type {string} */ piece) => {
    if (onBody !== undefined) return onBody(piece);
    head += piece;
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const rest = head.slice(end + 4);
    head = head.slice(0, end);
    const take = /content-type: *text\/event-stream/i.test(head) ? events : wholeBody(reader, socket);
    onBody = /transfer-encoding: *chunked/i.test(head) ? dechunk(take) : take;
    if (rest !== "") onBody(rest);
    return undefined;
  };
}

/** One JSON body, complete when the server closes. @param {Reader} reader @param {import("node:net").Socket} socket */
function wholeBody(reader, socket) {
  let body = "";
  socket.prependListener("end", () => reader.message(body, 0, body.length));
  return (/** @type {string} */ piece) => {
    body += piece;
  };
}
