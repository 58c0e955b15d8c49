/** What the carriers with one connection for many calls have in common. */
import { Reader } from "./reader.js";
import { toolCall } from "./request.js";

/**
 * Calls `onMessage` with the bounds of each message from `read()` on, and `onEnd` when no more can come.
 * @typedef {(
 *   server: import("../server.js").Server,
 *   onMessage: (text: string, start: number, end: number) => void,
 *   onEnd: (reason: string) => void,
 * ) => Link} OpenLink
 * @typedef {{ send: (text: string) => void, read: () => void, close: () => void }} Link
 */

/** One request on a connection of its own. @param {import("../server.js").Server} server @param {OpenLink} open @param {string} text */
export function callOn(server, open, text) {
  const reader = new Reader();
  const link = open(
    server,
    (piece, start, end) => reader.message(piece, start, end),
    (reason) => reader.end(reason),
  );
  link.send(text);
  reader.done.then(link.close, link.close);
  return { reader, link };
}

/** @param {OpenLink} open @returns {import("./call.js").Call} */
export function callOver(open) {
  return (server, name, args, { reading = true, ...options } = {}) => {
    const { reader, link } = callOn(server, open, toolCall(server, name, args, options).text);
    if (reading) link.read();
    return { reader, read: link.read, close: link.close };
  };
}

const key = '"progressToken":"';

/** Many calls on one connection, told apart by their tokens and ids. @param {OpenLink} open @returns {import("./call.js").Share} */
export function shareOver(open) {
  return (server) => {
    /** @type {Map<unknown, Reader>} */
    const readers = new Map();
    const onMessage = (/** @type {string} */ text, /** @type {number} */ start, /** @type {number} */ end) => {
      const at = text.indexOf(key, start) + key.length;
      const isUpdate = at >= key.length && at < end;
      const whose = isUpdate ? text.slice(at, text.indexOf('"', at)) : JSON.parse(text.slice(start, end)).id;
      const reader = readers.get(whose);
      if (reader === undefined) fail(`A message belongs to no call: ${text.slice(start, end)}`);
      else reader.message(text, start, end);
    };
    const fail = (/** @type {string} */ reason) => {
      for (const reader of readers.values()) reader.fail(reason);
    };
    const link = open(server, onMessage, (reason) => {
      for (const reader of readers.values()) reader.end(reason);
    });
    link.read();
    return {
      call(args, token) {
        const { id, text } = toolCall(server, "work", args, { token });
        const reader = new Reader();
        readers.set(id, reader).set(token, reader);
        link.send(text);
        return { reader, close: () => {} };
      },
      close: link.close,
    };
  };
}
