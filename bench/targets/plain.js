/** The least that answers a call on each carrier: what is left when there is no library. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";
import { listen, onPrepare, ready } from "../channel.js";
import { messageOf, perform, timeUnheard, total } from "../workload.js";

/**
 * Where frames go. `write` returns `false` when the carrier is behind, as a Node stream does; `drained`
 * then resolves once there is room. Calls on the same connection share their `writer`.
 * @typedef {{
 *   write: (frames: readonly string[]) => boolean, drained: () => Promise<unknown>, end: (frame: string) => void,
 *   writer?: Writer,
 * }} Output
 * @typedef {{ say: (frame: string) => unknown, flush: () => unknown }} Writer
 */

/** @type {Record<string, (text: string) => string>} */
const framings = {
  sse: (text) => `data: ${text}\n\n`,
  stdio: (text) => `${text}\n`,
  websocket: (text) => text,
};

/**
 * @param {string} carrier
 * @param {(output: Output) => Writer} createWriter
 */
export function servePlain(carrier, createWriter) {
  const frame = framings[carrier] ?? String;
  const update = (
    /** @type {string} */ progressToken,
    /** @type {number} */ progress,
    message = messageOf(progress),
  ) => {
    const params = { progressToken, progress, total, message };
    return frame(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }));
  };
  /** @type {Map<string, string[]>} */
  const prepared = new Map();
  onPrepare(({ count, tokens }) => {
    for (const token of tokens)
      prepared.set(
        token,
        Array.from({ length: count }, (_, index) => update(token, index + 1)),
      );
  });

  const onRequest = async (/** @type {string} */ text, /** @type {() => Output} */ open) => {
    const { id, params } = JSON.parse(text);
    const result = { resultType: "complete", content: [{ type: "text", text: "done" }] };
    const output = open();
    const { progressToken } = params._meta;
    if (params.name === "unheard") {
      const say = (/** @type {number} */ progress) => progressToken !== undefined && output.write([String(progress)]);
      result.content = [{ type: "text", text: String(timeUnheard(say)) }];
    } else {
      output.writer ??= createWriter(output);
      const { writer } = output;
      const made = params.arguments.pace === "clock" ? [] : (prepared.get(progressToken) ?? []);
      await perform(params.arguments, (progress, message) =>
        writer.say(made[progress - 1] ?? update(progressToken, progress, message)),
      );
      await writer.flush();
    }
    output.end(frame(JSON.stringify({ jsonrpc: "2.0", id, result })));
  };
  serve[carrier]?.(onRequest);
}

/** @type {Record<string, (onRequest: (text: string, open: () => Output) => void) => void>} */
const serve = {
  sse(onRequest) {
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      onRequest(body, () => {
        response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
        response.flushHeaders();
        return {
          write: (frames) => response.write(frames.length === 1 ? frames[0] : frames.join("")),
          drained: () => once(response, "drain"),
          end: (frame) => response.end(frame),
        };
      });
    });
    listen(server);
  },
  stdio(onRequest) {
    /** @type {Output} */
    const output = {
      write: (frames) => process.stdout.write(frames.length === 1 ? (frames[0] ?? "") : frames.join("")),
      drained: waitOnce(process.stdout),
      end: (frame) => process.stdout.write(frame),
    };
    createInterface({ input: process.stdin }).on("line", (line) => onRequest(line, () => output));
    ready();
  },
  websocket(onRequest) {
    const server = createServer();
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    server.on("upgrade", (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (peer) => {
        /** @type {Output} */
        const output = {
          write(frames) {
            if (frames.length > 1) socket.cork();
            for (const frame of frames) peer.send(frame);
            if (frames.length > 1) socket.uncork();
            return !socket.writableNeedDrain;
          },
          drained: waitOnce(socket),
          end: (frame) => peer.send(frame),
        };
        peer.on("message", (data) => onRequest(String(data), () => output));
        peer.on("error", () => {});
      });
    });
    listen(server);
  },
};

/** Many calls that wait for the same stream listen on it once. @param {import("node:events").EventEmitter} stream */
function waitOnce(stream) {
  /** @type {Promise<unknown> | undefined} */
  let waiting;
  return () => {
    waiting ??= once(stream, "drain").then(() => {
      waiting = undefined;
    });
    return waiting;
  };
}
