import { attempt, messageOf } from "../errors.ts";
import { after, maxBacklog, type Sink } from "../transports/index.ts";
import { type Farewell, leave, type Peer, watchLiveness } from "../transports/node.ts";
import { Outbox } from "./websocket-outbox.ts";
import type { JsonRpcMessage, Listeners, MessageExtra } from "./websocket-transport.ts";

export interface LinkOptions {
  /** What is said when this end leaves. */
  readonly farewell: Farewell;
  readonly writeTimeoutMs?: number | undefined;
  readonly pingMs?: number | undefined;
  /** How long `close` may take, in milliseconds. @default 1_000 */
  readonly closeTimeoutMs?: number | undefined;
  /** Takes the text of one message. */
  readonly receive: (text: string) => void;
}

/** A sink that knows whether the peer is behind. */
export interface LinkSink extends Sink {
  readonly pending: boolean;
}

/** How a peer leaves that is done, or going away; the third is a close frame without a code. */
const quietCodes: readonly number[] = [1000, 1001, 1005];
const unsupportedData: Farewell = { code: 1003, reason: "Expected text frames" };

/** One open socket below a transport: either end's. */
export class Link {
  readonly #peer: Peer;
  readonly #listeners: Listeners;
  readonly #options: LinkOptions;
  readonly #outbox: Outbox;
  #leaving: Promise<void> | undefined;
  #paused = false;

  constructor(peer: Peer, sink: LinkSink, listeners: Listeners, options: LinkOptions) {
    this.#peer = peer;
    this.#listeners = listeners;
    this.#options = options;
    const { writeTimeoutMs = 30_000, pingMs = 30_000 } = options;
    this.#outbox = new Outbox(sink, {
      writeTimeoutMs,
      onStalled: () => this.cut(new Error(`The peer took nothing for ${writeTimeoutMs} ms`)),
      onFailed: (cause) => this.cut(cause),
    });
    watchLiveness(peer, { pingMs, behind: () => sink.pending });
    peer.on("message", (data: Buffer, isBinary: boolean) => this.#onMessage(data, isBinary));
    // Too large, not UTF-8 or no WebSocket frame: `ws` has sent the close frame that says so.
    peer.on("error", (error: Error) => this.report(error));
    peer.once("close", (code: number, reason: Buffer) => this.#onClose(code, reason.toString()));
  }

  /** How much waits for the peer, in characters. */
  get backlog(): number {
    return this.#outbox.backlog;
  }

  /** Whether something waits for the peer, or was written less than `ms` ago. */
  wroteWithin(ms: number): boolean {
    return this.#outbox.wroteWithin(ms);
  }

  async send(message: JsonRpcMessage): Promise<void> {
    this.#checkOpen();
    await this.#outbox.send(message);
  }

  /** Sends what is text already; nothing once the connection is closed. */
  push(frame: string): void {
    if (this.#isOpen) void this.#outbox.push(frame);
  }

  /** Hands a message to the SDK. What listeners throw takes nothing along, here and below. */
  deliver(message: JsonRpcMessage, extra?: MessageExtra): void {
    try {
      this.#listeners.onmessage?.(message, extra);
    } catch (cause) {
      this.report(cause);
    }
  }

  report(cause: unknown): void {
    const error =
      cause instanceof Error ? cause : new Error(messageOf(cause) ?? "Something was thrown that is no error");
    attempt(() => this.#listeners.onerror?.(error));
  }

  /** Drops the peer without a close frame. */
  cut(cause: unknown): void {
    this.report(cause);
    this.#peer.terminate();
  }

  /** What was sent leaves first; all in all it takes `closeTimeoutMs` at most. */
  close(farewell: Farewell = this.#options.farewell): Promise<void> {
    this.#leaving ??= this.#leave(farewell);
    return this.#leaving;
  }

  async #leave(farewell: Farewell): Promise<void> {
    const { closeTimeoutMs = 1_000 } = this.#options;
    const stop = after(closeTimeoutMs, () => this.#peer.terminate());
    await this.#outbox.flushed();
    // What is not read would hide the answer.
    this.#peer.resume();
    await leave(this.#peer, farewell, closeTimeoutMs);
    stop();
  }

  get #isOpen(): boolean {
    return this.#leaving === undefined && this.#peer.readyState === this.#peer.OPEN;
  }

  #checkOpen(): void {
    if (!this.#isOpen) throw new Error("The connection is closed");
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (this.#leaving !== undefined) return;
    if (isBinary) {
      this.report(new Error("Expected text frames, got a binary one"));
      return void this.close(unsupportedData);
    }
    this.#options.receive(data.toString());
    this.#checkBacklog();
  }

  /** A peer that sends but takes nothing must not fill the memory with answers. */
  #checkBacklog(): void {
    if (this.#paused || this.#outbox.backlog <= maxBacklog) return;
    this.#paused = true;
    this.#peer.pause();
    void this.#outbox.drained().then(() => {
      this.#paused = false;
      this.#peer.resume();
    });
  }

  #onClose(code: number, reason: string): void {
    this.#outbox.close();
    if (this.#leaving === undefined && !quietCodes.includes(code)) {
      this.report(new Error(`The connection was closed with ${code}${reason === "" ? "" : `: ${reason}`}`));
    }
    attempt(() => this.#listeners.onclose?.());
  }
}
