import type { ServerResponse } from "node:http";
import { cutText, type Piece } from "./bytes.ts";
import type { Sink } from "./sink.ts";

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
    const pieces = cutText(frames);
    if (!this.#res.headersSent) {
      const { status, headers } = this.#head;
      this.#res.writeHead(status, last ? { ...headers, "Content-Length": lengthOf(pieces) } : headers);
    }
    this.#hand(pieces, 0, taken, () => (last ? this.#end(pieces.at(-1), done) : this.#flush(pieces.at(-1), done)));
  }

  /**
   * Hands over a large text piece by piece, so that a slow reader is seen to take something; `finish` writes
   * the last one. What is no stream may pass a compressing middleware, which calls back for `drain` and
   * `finish` only.
   */
  #hand(pieces: readonly Piece[], from: number, taken: () => void, finish: () => void): void {
    for (let at = from; at < pieces.length - 1; at += 1) {
      if (this.#res.write(pieces[at])) continue;
      this.#handing = true;
      this.#res.once("drain", () => {
        taken();
        this.#hand(pieces, at + 1, taken, finish);
      });
      return;
    }
    this.#handing = false;
    finish();
  }

  #end(piece: Piece | undefined, done: () => void): void {
    this.#res.once("finish", done);
    this.#res.end(piece);
  }

  /** Node holds what is written until the next tick, which a loop that never yields does not let come. */
  #flush(piece: Piece | undefined, done: () => void): void {
    this.#res.cork();
    // In this form, middleware that takes no callback passes it on.
    this.#res.write(piece, () => done());
    this.#res.uncork();
  }
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((length, piece) => length + Buffer.byteLength(piece), 0);
}
