import type { Duplex } from "node:stream";
import type { Servable } from "../events/index.ts";
import { bare } from "../wire/index.ts";
import { byteSink } from "./bytes.ts";
import type { Connection } from "./endpoint.ts";
import type { LegacyPolicy } from "./era.ts";
import { type Farewell, leave } from "./leave.ts";
import { watchLiveness } from "./liveness.ts";
import type { Peer } from "./peer.ts";
import { Session } from "./serve.ts";
import { encodeTextFrames } from "./text-frame.ts";
import { upgradedStream } from "./upgraded-stream.ts";

export interface ConnectionOptions {
  /** What `authenticate` returned. */
  readonly principal?: unknown;
  readonly legacy?: LegacyPolicy | undefined;
  readonly maxInFlight?: number | undefined;
  readonly writeTimeoutMs?: number | undefined;
  readonly answerGapMs?: number | undefined;
  readonly pingMs?: number | undefined;
}

const goingAway: Farewell = { code: 1001, reason: "The server is closing" };
const unsupportedData: Farewell = { code: 1003, reason: "Expected text frames" };

/** Serves one upgraded socket. `ws` receives and sends control frames; messages are framed and written here. */
export function openConnection(
  server: Servable,
  peer: Peer,
  socket: Duplex,
  { pingMs = 30_000, answerGapMs = 10, ...limits }: ConnectionOptions,
): Connection {
  // A peer that is leaving reads no messages any more.
  const sink = byteSink(
    upgradedStream(peer, socket, () => session.disconnect()),
    encodeTextFrames,
  );
  const session = new Session(server, sink, {
    ...limits,
    answerGapMs,
    framing: bare,
    pause: (paused) => (paused ? peer.pause() : peer.resume()),
    drop: () => peer.terminate(),
  });
  watchLiveness(peer, { pingMs, behind: () => sink.pending });
  peer.on("message", (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return session.receive(data.toString());
    session.disconnect();
    void leave(peer, unsupportedData);
  });
  // Too large, not UTF-8 or no WebSocket frame: `ws` has sent the close frame that says so.
  peer.on("error", () => session.disconnect());
  peer.on("close", () => session.disconnect());
  return {
    async close(graceMs) {
      await session.close(graceMs);
      await leave(peer, goingAway);
    },
  };
}
