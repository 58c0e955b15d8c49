/** A WebSocket client on a bare socket: one unfragmented text frame per message, nothing else. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

/** @type {import("./link.js").OpenLink} */
export function openSocket(server, onMessage, onEnd) {
  const socket = connect(server.port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.setEncoding("latin1");
  socket.write(upgradeHead(server.port));
  socket.on("error", (error) => onEnd(error.message));
  socket.on("end", () => onEnd("The connection ended"));
  const frames = splitFrames(onMessage);
  /** What was sent before the upgrade; afterwards there is none. @type {string[] | undefined} */
  let waiting = [];
  let wanted = false;
  let head = "";
  const onUpgrade = (/** @type {string} */ piece) => {
    head += piece;
    if (!head.endsWith("\r\n\r\n")) return;
    if (!head.startsWith("HTTP/1.1 101")) onEnd(`The upgrade failed: ${head}`);
    socket.off("data", onUpgrade);
    const texts = waiting ?? [];
    waiting = undefined;
    if (wanted) read();
    else socket.pause();
    for (const text of texts) socket.write(maskedFrame(text));
  };
  const read = () => {
    wanted = true;
    if (waiting !== undefined) return;
    socket.on("data", frames);
    socket.resume();
  };
  socket.on("data", onUpgrade);
  return {
    send: (text) => void (waiting?.push(text) ?? socket.write(maskedFrame(text))),
    read,
    close: () => void socket.destroy(),
  };
}

/** @param {number} port */
function upgradeHead(port) {
  const lines = [
    "GET /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    "Sec-WebSocket-Protocol: mcp",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** A client's frames are masked; a mask of zeros is one. @param {string} text shorter than 64 KiB */
function maskedFrame(text) {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/**
 * Calls `onMessage` with the bounds of each text frame shorter than 64 KiB; pings are passed over.
 * @param {(text: string, start: number, end: number) => void} onMessage
 */
function splitFrames(onMessage) {
  let rest = "";
  return (/** @type {string} */ piece) => {
    const text = rest === "" ? piece : rest + piece;
    let at = 0;
    while (at + 4 <= text.length) {
      const short = text.charCodeAt(at + 1);
      const start = at + (short < 126 ? 2 : 4);
      const length = short < 126 ? short : text.charCodeAt(at + 2) * 256 + text.charCodeAt(at + 3);
      if (start + length > text.length) break;
      if (text.charCodeAt(at) === 0x81) onMessage(text, start, start + length);
      at = start + length;
    }
    rest = at === text.length ? "" : text.slice(at);
  };
}
