import { type Observable, Subject } from "rxjs";
import type { Servable } from "../events/index.ts";
import { bare } from "../wire/index.ts";
import { Session, type SessionOptions } from "./serve.ts";
import type { Sink } from "./sink.ts";

/** The client's end of an in-process connection: JSON text both ways. */
export interface MemoryConnection {
  /** Every message of the server, in order. */
  readonly messages: Observable<string>;
  send(text: string): void;
  close(): void;
}

/** Connects in process, through the wire form: what is sent and received is text. */
export function connectMemory(
  server: Servable,
  options: Pick<SessionOptions, "principal" | "maxInFlight" | "legacy"> = {},
): MemoryConnection {
  const messages = new Subject<string>();
  let writing = false;
  const sink: Sink = {
    // Its subscriber takes every frame while it is written, so there is room at all other times: what it
    // causes meanwhile must not overtake the rest.
    get idle() {
      return !writing;
    },
    write(frames, _last, writer) {
      writing = true;
      for (const frame of frames) messages.next(frame);
      writing = false;
      queueMicrotask(() => writer.done());
    },
  };
  const session = new Session(server, sink, { ...options, framing: bare, drop: () => messages.complete() });
  return {
    messages: messages.asObservable(),
    send: (text) => session.receive(text),
    close: () => {
      session.disconnect();
      messages.complete();
    },
  };
}
