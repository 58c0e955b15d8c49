import { callSse } from "./sse.js";
import { callStdio } from "./stdio.js";
import { callWebSocket } from "./websocket.js";

/**
 * Calls a tool. Unless `reading`, nothing is taken from the carrier before `read()`.
 * @typedef {(
 *   server: import("../server.js").Server,
 *   name: "work" | "unheard",
 *   args: object,
 *   options?: { reading?: boolean, listening?: boolean },
 * ) => { reader: import("./reader.js").Reader, read: () => void, close: () => void }} Call
 */

/** @type {Record<import("../server.js").Carrier, Call>} */
export const calls = { sse: callSse, stdio: callStdio, websocket: callWebSocket };
