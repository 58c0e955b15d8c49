import type { Duplex } from "node:stream";
import type { ByteStream } from "./bytes.ts";
import type { Peer } from "./peer.ts";

/**
 * The stream below a `ws` socket, to write whole frames to, a batch at a time. That is sound because `ws`
 * writes whole frames within one turn, and because nothing is written here once it has sent its close frame:
 * then `onLeaving` is told instead.
 */
export function upgradedStream(peer: Peer, socket: Duplex, onLeaving: () => void): ByteStream {
  return {
    get writableLength() {
      return socket.writableLength;
    },
    write(piece, encoding, done) {
      if (peer.readyState === peer.OPEN) socket.write(piece, encoding, done);
      else queueMicrotask(onLeaving);
    },
  };
}
