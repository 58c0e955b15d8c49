import { callOver, shareOver } from "./link.js";
import { callSse, shareSse } from "./sse.js";
import { openPipes } from "./stdio.js";
import { openSocket } from "./websocket.js";

/**
 * Calls a tool. Unless `reading`, nothing is taken from the carrier before `read()`.
 * @typedef {(
 *   server: import("../server.js").Server,
 *   name: "work" | "unheard",
 *   args: object,
 *   options?: { reading?: boolean } & import("./request.js").CallOptions,
 * ) => { reader: import("./reader.js").Reader, read: () => void, close: () => void }} Call
 */

/**
 * Many calls at once, as the carrier has them: a connection each with SSE, else all on one.
 * @typedef {(server: import("../server.js").Server) => {
 *   call: (args: object, token: string) => { reader: import("./reader.js").Reader, close: () => void },
 *   close: () => void,
 * }} Share
 */

/** @typedef {import("../server.js").Carrier} Carrier */

/** @type {Record<Carrier, Call>} */
export const calls = { sse: callSse, stdio: callOver(openPipes), websocket: callOver(openSocket) };

/** @type {Record<Carrier, Share>} */
export const shares = { sse: shareSse, stdio: shareOver(openPipes), websocket: shareOver(openSocket) };
