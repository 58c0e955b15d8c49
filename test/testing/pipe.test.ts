import type { McpServer } from "mcp-headway";
import { Subject } from "rxjs";
import { Pipe } from "../../src/testing/pipe.ts";
import { Session } from "../../src/transports/index.ts";
import { bare } from "../../src/wire/index.ts";
import { describeCarrier } from "../transports/contract.ts";
import type { RawClient } from "../transports/peer.ts";

/** A client that reads at once what a pipe holds, unless it pauses. */
function connect(server: McpServer, sessions: Set<Session>): RawClient {
  const messages = new Subject<string>();
  let paused = false;
  const read = (): void => {
    while (!paused && !pipe.idle) pipe.readOne();
  };
  const pipe = new Pipe(
    (text) => messages.next(text),
    () => queueMicrotask(read),
  );
  const session = new Session(server, pipe, { framing: bare, drop: () => messages.complete() });
  sessions.add(session);
  return {
    messages,
    send: (text) => session.receive(text),
    close: () => session.disconnect(),
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      read();
    },
  };
}

describeCarrier("the connection of a test client", async (server) => {
  const sessions = new Set<Session>();
  return {
    connect: async () => connect(server, sessions),
    close: async () => {
      await server.close();
      for (const session of sessions) await session.close(0);
    },
  };
});
