import { split } from "../transports/index.ts";
import type { Dialed } from "./websocket-dial.ts";
import type { LinkSink } from "./websocket-link.ts";

/**
 * A sink over a client's socket, whose frames `ws` masks. A large message is sent in parts, so that a slow
 * server is seen to take something.
 */
export function clientSink(socket: Dialed): LinkSink {
  let pending = 0;
  return {
    get pending() {
      return pending > 0;
    },
    get idle() {
      return socket.bufferedAmount === 0;
    },
    write(frames, _last, writer) {
      const messages = frames.map((frame) => split(Buffer.from(frame)));
      let left = messages.reduce((count, parts) => count + parts.length, 0);
      pending += 1;
      const onTaken = (error?: Error | null): void => {
        // Who closes the socket is told of it by the socket.
        if (error) return;
        writer.taken();
        left -= 1;
        if (left > 0) return;
        pending -= 1;
        writer.done();
      };
      for (const parts of messages) {
        for (const [index, part] of parts.entries()) {
          socket.send(part, { binary: false, fin: index === parts.length - 1 }, onTaken);
        }
      }
    },
  };
}
