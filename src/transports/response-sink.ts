import type { ServerResponse } from "node:http";
import { cutText, type Piece } from "./bytes.ts";
import type { Sink, Writer } from "./sink.ts";

export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes to one response. The head leaves with the first write, and says the length when that is the last. */
export class ResponseSink implements Sink {
  readonly #res: ServerResponse;
  readonly #head: Head;
  #begun = false;
  #handing = false;

  constructor(res: ServerResponse, head: Head) {
    this.#res = res;
    this.#head = head;
  }

  get gatherMs(): number {
    return 1;
  }

  get idle(): boolean {
    return !this.#handing && this.#res.writableLength === 0;
  }

  /** A pipelined answer gets its socket once the one before it has ended. */
  get queued(): boolean {
    return this.#res.socket === null;
  }

  write(frames: readonly string[], last: boolean, writer: Writer): void {
    const pieces = cutText(frames);
    if (!this.#res.headersSent) {
      const { status, headers } = this.#head;
      this.#res.writeHead(status, last ? { ...headers, "Content-Length": lengthOf(pieces) } : headers);
    }
    this.#hand(pieces, 0, last, writer);
  }

  /**
   * Hands over a large text piece by piece, so that a slow reader is seen to take something. What is no stream
   * may pass a compressing middleware, which calls back for `drain` and `finish` only.
   */
  #hand(pieces: readonly Piece[], from: number, last: boolean, writer: Writer): void {
    for (let at = from; at < pieces.length - 1; at += 1) {
      if (this.#res.write(pieces[at])) continue;
      this.#handing = true;
      this.#res.once("drain", () => {
        writer.taken();
        this.#hand(pieces, at + 1, last, writer);
      });
      return;
    }
    this.#handing = false;
    if (last) this.#end(pieces.at(-1), writer);
    else this.#flush(pieces.at(-1), writer);
  }

  #end(piece: Piece | undefined, writer: Writer): void {
    this.#res.once("finish", () => writer.done());
    this.#res.end(piece);
  }

  /** Node holds what is written until the next tick, which a loop that never yields does not let come. */
  #flush(piece: Piece | undefined, writer: Writer): void {
    this.#res.cork();
    // A head that is sent by itself becomes one text. As a part of another text it would stay the tree of texts
    // that Node put together, for as long as the response is open.
    if (!this.#begun) this.#res.flushHeaders();
    this.#begun = true;
    // In this form, middleware that takes no callback passes it on.
    this.#res.write(piece, () => writer.done());
    this.#res.uncork();
  }
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((length, piece) => length + Buffer.byteLength(piece), 0);
}
