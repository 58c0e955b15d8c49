import type { Duplex } from "node:stream";
import type { Servable } from "../events/index.ts";
import { bare } from "../wire/index.ts";
import { type ByteStream, byteSink } from "./bytes.ts";
import type { LegacyPolicy } from "./era.ts";
import { watchLiveness } from "./liveness.ts";
import type { Peer } from "./peer.ts";
import { Session } from "./serve.ts";
import { encodeTextFrames } from "./text-frame.ts";
import { after } from "./timer.ts";

export interface ConnectionOptions {
  /** What `authenticate` returned. */
  readonly principal?: unknown;
  readonly legacy?: LegacyPolicy | undefined;
  readonly maxInFlight?: number | undefined;
  readonly writeTimeoutMs?: number | undefined;
  readonly answerGapMs?: number | undefined;
  readonly pingMs?: number | undefined;
}

export interface Connection {
  /** Lets requests in flight finish within `graceMs`, then closes with 1001. Resolves when the socket is closed. */
  close(graceMs: number): Promise<void>;
}

const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
/** How long a peer may take to answer a close, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Serves one upgraded socket. `ws` receives and sends control frames; messages are framed and written
 * here, a batch at a time. That is sound because `ws` writes whole frames within one turn, and because
 * nothing is written here once it has sent its close frame.
 */
export function openConnection(
  server: Servable,
  peer: Peer,
  socket: Duplex,
  { pingMs = 30_000, answerGapMs = 10, ...limits }: ConnectionOptions,
): Connection {
  const stream: ByteStream = {
    get writableLength() {
      return socket.writableLength;
    },
    write(piece, encoding, done) {
      if (peer.readyState === peer.OPEN) socket.write(piece, encoding, done);
      // The peer is leaving, and reads no messages any more.
      else queueMicrotask(() => session.disconnect());
    },
  };
  const sink = byteSink(stream, encodeTextFrames);
  const session = new Session(server, sink, {
    ...limits,
    answerGapMs,
    framing: bare,
    pause: (paused) => (paused ? peer.pause() : peer.resume()),
    drop: () => peer.terminate(),
  });
  const closed = new Promise<void>((resolve) => peer.once("close", () => resolve()));
  /** A peer that does not answer the close in time is cut. */
  const leave = async (code: number, reason: string): Promise<void> => {
    peer.close(code, reason);
    const stop = after(closeTimeoutMs, () => peer.terminate());
    await closed;
    stop();
  };

  watchLiveness(peer, { pingMs, behind: () => sink.pending });
  peer.on("message", (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return session.receive(data.toString());
    session.disconnect();
    void leave(UNSUPPORTED_DATA, "Expected text frames");
  });
  // Too large, not UTF-8 or no WebSocket frame: `ws` has sent the close frame that says so.
  peer.on("error", () => session.disconnect());
  peer.on("close", () => session.disconnect());
  return {
    async close(graceMs) {
      await session.close(graceMs);
      await leave(GOING_AWAY, "The server is closing");
    },
  };
}
