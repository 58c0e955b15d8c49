/** The least that answers a call on each carrier: what is left when there is no library. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";
import { onPrepare, ready } from "../channel.js";
import { messageOf, perform, timeUnheard, token, total } from "../workload.js";

/**
 * Where frames go. `write` returns `false` when the carrier is behind, as a Node stream does; `drained`
 * then resolves once there is room.
 * @typedef {{ write: (frames: readonly string[]) => boolean, drained: () => Promise<unknown>, end: (frame: string) => void }} Output
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
  const update = (/** @type {number} */ progress, /** @type {string} */ message) => {
    const params = { progressToken: token, progress, total, message };
    return frame(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }));
  };
  /** @type {string[]} */
  const prepared = [];
  onPrepare((count) => {
    while (prepared.length < count) prepared.push(update(prepared.length + 1, messageOf(prepared.length + 1)));
  });

  const onRequest = async (/** @type {string} */ text, /** @type {() => Output} */ open) => {
    const { id, params } = JSON.parse(text);
    const result = { resultType: "complete", content: [{ type: "text", text: "done" }] };
    const output = open();
    if (params.name === "unheard") {
      const { progressToken } = params._meta;
      const say = (/** @type {number} */ progress) => progressToken !== undefined && output.write([String(progress)]);
      result.content = [{ type: "text", text: String(timeUnheard(say)) }];
    } else {
      const writer = createWriter(output);
      const made = params.arguments.pace === "clock" ? [] : prepared;
      await perform(params.arguments, (progress, message) =>
        writer.say(made[progress - 1] ?? update(progress, message)),
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
    createInterface({ input: process.stdin }).on("line", (line) =>
      onRequest(line, () => ({
        write: (frames) => process.stdout.write(frames.length === 1 ? (frames[0] ?? "") : frames.join("")),
        drained: () => once(process.stdout, "drain"),
        end: (frame) => process.stdout.write(frame),
      })),
    );
    ready();
  },
  websocket(onRequest) {
    const server = createServer();
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    server.on("upgrade", (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (peer) => {
        const output = {
          write(/** @type {readonly string[]} */ frames) {
            if (frames.length > 1) socket.cork();
            for (const frame of frames) peer.send(frame);
            if (frames.length > 1) socket.uncork();
            return !socket.writableNeedDrain;
          },
          drained: () => once(socket, "drain"),
          end: (/** @type {string} */ frame) => peer.send(frame),
        };
        peer.on("message", (data) => onRequest(String(data), () => output));
        peer.on("error", () => {});
      });
    });
    listen(server);
  },
};

/** @param {import("node:http").Server} server */
function listen(server) {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) ready({ port: address.port });
  });
}
