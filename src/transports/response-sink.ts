import type { ServerResponse } from "node:http";
import { maxChunk } from "./bytes.ts";
import type { Sink } from "./pump.ts";

export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes to one response. The head leaves with the first write, and says the length when that is the last. */
export class ResponseSink implements Sink {
  readonly gatherMs = 1;
  readonly #res: ServerResponse;
  readonly #head: Head;
  readonly #onWrite: () => void;
  #handing = false;

  constructor(res: ServerResponse, head: Head, onWrite: () => void) {
    this.#res = res;
    this.#head = head;
    this.#onWrite = onWrite;
  }

  get idle(): boolean {
    return !this.#handing && this.#res.writableLength === 0;
  }

  /** A pipelined answer gets its socket once the one before it has ended. */
  get queued(): boolean {
    return this.#res.socket === null;
  }

  write(frames: readonly string[], last: boolean, taken: () => void, done: () => void): void {
    this.#onWrite();
    const bytes = Buffer.from(frames.join(""));
    if (!this.#res.headersSent) {
      const { status, headers } = this.#head;
      this.#res.writeHead(status, last ? { ...headers, "Content-Length": bytes.length } : headers);
    }
    this.#hand(bytes, last, taken, done);
  }

  /**
   * Hands over a large text piece by piece, so that a slow reader is seen to take something. What is no
   * stream may pass a compressing middleware, which calls back for `drain` and `finish` only.
   */
  #hand(bytes: Buffer, last: boolean, taken: () => void, done: () => void): void {
    let rest = bytes;
    while (rest.length > maxChunk) {
      const room = this.#res.write(rest.subarray(0, maxChunk));
      rest = rest.subarray(maxChunk);
      if (room) continue;
      const left = rest;
      this.#handing = true;
      this.#res.once("drain", () => {
        taken();
        this.#hand(left, last, taken, done);
      });
      return;
    }
    this.#handing = false;
    if (last) this.#end(rest, done);
    else this.#flush(rest, done);
  }

  #end(bytes: Buffer, done: () => void): void {
    this.#res.once("finish", done);
    this.#res.end(bytes);
  }

  /** Node holds what is written until the next tick, which a loop that never yields does not let come. */
  #flush(bytes: Buffer, done: () => void): void {
    this.#res.cork();
    // In this form, middleware that takes no callback passes it on.
    this.#res.write(bytes, () => done());
    this.#res.uncork();
  }
}
