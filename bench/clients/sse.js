/** An HTTP client on a bare socket. */
import { connect } from "node:net";
import { dechunk } from "./chunked.js";
import { splitLines } from "./lines.js";
import { Reader } from "./reader.js";
import { protocolVersions, toolCall } from "./request.js";

/** @type {import("./call.js").Call} */
export function callSse(server, name, args, { reading = true, ...options } = {}) {
  const { text } = toolCall(server, name, args, options);
  const { reader, read, close } = post(server, text, ["Mcp-Method: tools/call", `Mcp-Name: ${name}`]);
  if (reading) read();
  return { reader, read, close };
}

/** @type {import("./call.js").Share} */
export const shareSse = (server) => ({
  call: (args, token) => callSse(server, "work", args, { token }),
  close: () => {},
});

/** One request on a connection of its own. @param {import("../server.js").Server} server @param {string} body @param {readonly string[]} [modern] headers of the modern era */
export function post(server, body, modern = []) {
  const reader = new Reader();
  const socket = connect(server.port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.setEncoding("latin1");
  socket.write(`${requestHead(server, body.length, modern)}${body}`);
  socket.on("error", (error) => reader.end(error.message));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  const read = () => void socket.on("data", readResponse(reader, socket));
  return { reader, read, closed, close: () => void socket.destroy() };
}

/** @param {import("../server.js").Server} server @param {number} length @param {readonly string[]} modern */
function requestHead({ port, era, session }, length, modern) {
  const lines = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${protocolVersions[era]}`,
    ...(era === "modern" ? modern : []),
    ...(session === undefined ? [] : [`Mcp-Session-Id: ${session}`]),
    `Content-Length: ${length}`,
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** @param {Reader} reader @param {import("node:net").Socket} socket */
function readResponse(reader, socket) {
  const events = splitLines((text, start, end) => {
    // An event that only gives the stream its first id has no data.
    if (text.startsWith("data:", start) && end - start > 7) reader.message(text, start + 5, end);
  });
  /** @type {((piece: string) => void) | undefined} */
  let onBody;
  socket.on("end", () => reader.end(`The response ended early: ${reader.head}`));
  return (/** @type {string} */ piece) => {
    if (onBody !== undefined) return onBody(piece);
    reader.head += piece;
    const end = reader.head.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const rest = reader.head.slice(end + 4);
    reader.head = reader.head.slice(0, end);
    const take = /content-type: *text\/event-stream/i.test(reader.head) ? events : wholeBody(reader, socket);
    onBody = /transfer-encoding: *chunked/i.test(reader.head) ? dechunk(take) : take;
    if (rest !== "") onBody(rest);
    return undefined;
  };
}

/** One JSON body, complete when the server closes. @param {Reader} reader @param {import("node:net").Socket} socket */
function wholeBody(reader, socket) {
  let body = "";
  socket.prependListener("end", () => body !== "" && reader.message(body, 0, body.length));
  return (/** @type {string} */ piece) => {
    body += piece;
  };
}
