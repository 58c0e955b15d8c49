import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { Servable } from "../events/index.ts";
import { type ErrorBody, INVALID_REQUEST, PARSE_ERROR } from "../wire/index.ts";
import { byteSink, cutText } from "./bytes.ts";
import { checkLegacy } from "./era.ts";
import { guardStdout, realStdout } from "./guard-stdout.ts";
import { LineReader, lines } from "./lines.ts";
import { checkNumbers } from "./numbers.ts";
import { Session } from "./serve.ts";

export { guardStdout };

export interface StdioOptions {
  /** Where the client's messages come from. @default process.stdin */
  readonly input?: Readable | undefined;
  /** Where the server's messages go. It is not ended. @default process.stdout */
  readonly output?: Writable | undefined;
  /** Whether clients of the 2025 revisions, which begin with `initialize`, are served. @default "serve" */
  readonly legacy?: "serve" | "reject" | undefined;
  /** A longer message is answered with -32600 and skipped, in bytes. @default 4_194_304 */
  readonly maxMessageBytes?: number | undefined;
  /** Requests that may be open at once. @default 1_000 */
  readonly maxInFlight?: number | undefined;
  /** How long the client may take nothing before it is given up, in milliseconds. @default 30_000 */
  readonly writeTimeoutMs?: number | undefined;
  /**
   * How long an answer keeps its distance from the last update of its request, in milliseconds: the official
   * client loses the updates that it reads in one piece with the answer. @default 10
   */
  readonly answerGapMs?: number | undefined;
  /** What requests in flight get after the end of input, in milliseconds. @default 1_000 */
  readonly drainMs?: number | undefined;
  /** What requests in flight get after `close()`, in milliseconds. @default 5_000 */
  readonly closeGraceMs?: number | undefined;
}

export interface StdioHandle {
  /** Resolves when nothing is served or written any more. */
  readonly closed: Promise<void>;
  /** Takes no new requests, lets those in flight finish within `closeGraceMs`, aborts the rest. Exits nothing. */
  close(): Promise<void>;
}

/**
 * Serves MCP over a pair of streams, one message per line.
 *
 * On the process's own streams it owns the process: what is printed to stdout goes to stderr, and the
 * process exits with `process.exitCode ?? 0` after the end of input, SIGTERM, or the loss of its reader.
 * With any other stream it touches neither console, signals nor the process.
 */
export function serveStdio(server: Servable, options: StdioOptions = {}): StdioHandle {
  const { input = process.stdin, output = process.stdout, drainMs = 1_000, closeGraceMs = 5_000 } = options;
  checkLegacy(options.legacy);
  checkNumbers(options, { maxMessageBytes: 1, maxInFlight: 1, writeTimeoutMs: 1, ...atLeastZero });
  const own = input === process.stdin && output === process.stdout;
  const release = own ? guardStdout() : () => undefined;
  const pipe = new Pipe(server, { ...options, input, output, onLost: () => leave(0) });

  const end = async (graceMs: number): Promise<void> => {
    await pipe.close(graceMs);
    stop();
    // What a stream fails with from now on is nobody's loss, and must not be an uncaught exception.
    for (const stream of [input, output]) if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
    release();
  };
  /** The client is gone. On the process's own streams the guard stays to the end: nothing may follow the messages. */
  const leave = (graceMs: number): void => {
    if (!own) return void end(graceMs);
    // A client that reads no more must not keep the process.
    setTimeout(exit, graceMs + flushMs);
    void pipe.close(graceMs).then(exit);
  };
  const lose = (): void => {
    pipe.disconnect();
    leave(0);
  };
  const stop = listen([
    [input, "end", () => leave(drainMs)],
    [input, "close", () => leave(drainMs)],
    [input, "error", () => leave(drainMs)],
    [output, "error", lose],
    [output, "close", lose],
    ...(own ? [[process, "SIGTERM", () => leave(0)] as const] : []),
  ]);
  return { closed: pipe.closed, close: () => end(closeGraceMs) };
}

/** How long what was written may take to leave a process that ends, in milliseconds. */
const flushMs = 1_000;
const atLeastZero = { answerGapMs: 0, drainMs: 0, closeGraceMs: 0 };

interface PipeOptions extends StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onLost: () => void;
}

/** One session over two streams. */
class Pipe {
  readonly closed: Promise<void>;
  readonly #session: Session;
  readonly #input: Readable;
  readonly #reader: LineReader;
  #reading = true;
  #resolve: () => void = () => undefined;

  constructor(server: Servable, options: PipeOptions) {
    const { input, output, onLost, maxMessageBytes = 4_194_304, answerGapMs = 10, ...limits } = options;
    this.closed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#input = input;
    const session = new Session(server, byteSink(output === process.stdout ? realStdout() : output, cutText), {
      ...limits,
      answerGapMs,
      framing: lines,
      pause: (paused) => this.#pause(paused),
      drop: onLost,
    });
    this.#session = session;
    this.#reader = new LineReader(maxMessageBytes, {
      onLine: (line) => session.receive(line),
      onOversize: () => session.refuse(tooLong(maxMessageBytes)),
      onInvalid: () => session.refuse(notUtf8),
    });
    input.on("data", this.#onData);
    input.once("end", this.#onEnd);
  }

  disconnect(): void {
    this.#session.disconnect();
  }

  async close(graceMs: number): Promise<void> {
    // A handler that waits for nothing the process knows of must not end it.
    const hold = setInterval(() => undefined, 60_000);
    // Till then an answer or a cancellation may come for what is in flight.
    await this.#session.close(graceMs);
    this.#reading = false;
    this.#input.off("data", this.#onData);
    this.#input.off("end", this.#onEnd);
    this.#input.pause();
    clearInterval(hold);
    this.#resolve();
  }

  #pause(paused: boolean): void {
    if (!this.#reading) return;
    if (paused) this.#input.pause();
    else this.#input.resume();
  }

  // Somebody may have called `setEncoding` on the stream.
  readonly #onData = (chunk: Uint8Array | string): void =>
    this.#reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);

  readonly #onEnd = (): void => this.#reader.end();
}

type Listener = readonly [emitter: EventEmitter, event: string, listener: () => void];

/** Adds the listeners; returns what removes them. */
function listen(listeners: readonly Listener[]): () => void {
  for (const [emitter, event, listener] of listeners) emitter.on(event, listener);
  return () => {
    for (const [emitter, event, listener] of listeners) emitter.off(event, listener);
  };
}

function ignore(): void {}

/** Lets what was printed to stderr leave, but never waits for a parent that does not read it. */
function exit(): void {
  setTimeout(() => process.exit(), 100);
  process.stderr.write("", () => process.exit());
}

const tooLong = (maxBytes: number): ErrorBody => ({
  code: INVALID_REQUEST,
  message: `The message is larger than ${maxBytes} bytes`,
});
const notUtf8: ErrorBody = { code: PARSE_ERROR, message: "Parse error: the message is not valid UTF-8" };
