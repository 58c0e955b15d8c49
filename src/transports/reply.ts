import type { ServerResponse } from "node:http";
import type { RequestEvent, TerminalEvent } from "../events/index.ts";
import { bare, createPrinter, type Framing, type PrinterOptions } from "../wire/index.ts";
import type { Accepted } from "./accept.ts";
import type { Lane } from "./lane.ts";
import { Pump } from "./pump.ts";
import { type Refusal, refusal, statusOf } from "./refusal.ts";
import { type Head, ResponseSink } from "./response-sink.ts";
import { sse, sseComment } from "./sse.ts";

export interface ReplyOptions {
  readonly accepted: Accepted;
  readonly printing: Omit<PrinterOptions, "framing">;
  /** In milliseconds. */
  readonly keepAliveMs: number;
  /** In milliseconds. */
  readonly writeTimeoutMs: number;
  readonly onStalled: () => void;
}

interface Opened {
  readonly pump: Pump;
  readonly lane: Lane;
  readonly sink: ResponseSink;
}

/**
 * The answer to one request: one JSON body, or a stream once something precedes the result or the call
 * has been silent for `keepAliveMs`.
 */
export class Reply {
  readonly #res: ServerResponse;
  readonly #options: ReplyOptions;
  #opened: Opened | undefined;
  #ended = false;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(res: ServerResponse, options: ReplyOptions) {
    this.#res = res;
    this.#options = options;
    if (options.accepted.stream) this.#keepAlive = setTimeout(this.#onSilence, options.keepAliveMs).unref();
  }

  next(event: RequestEvent): void {
    if (this.#ended) return;
    switch (event.type) {
      case "progress":
        // Nobody listens where no stream is taken or no token was given.
        if (this.#streams && this.#options.printing.progressToken !== undefined) this.#stream().lane.progress(event);
        return;
      case "elicitation":
        // The terminal `input-required` carries the questions.
        return;
      case "notification":
        if (this.#streams) this.#stream().lane.send(event);
        else this.fail(undeliverable);
        return;
      case "result":
      case "error":
      case "input-required":
        return this.#end(event, event.type === "error" ? statusOf(event.error) : 200);
    }
  }

  /** Ends the reply with an error of the carrier, on the stream if there is one. */
  fail({ status, error, headers }: Refusal): void {
    if (!this.#ended) this.#end({ type: "error", error }, status, headers);
  }

  /** Resolves when there is room for more. */
  drained(): Promise<void> {
    return this.#opened?.lane.drained() ?? Promise.resolve();
  }

  /** Writes nothing more. */
  close(): void {
    this.#ended = true;
    clearTimeout(this.#keepAlive);
    this.#opened?.lane.end(true);
    this.#opened?.pump.close();
  }

  get #streams(): boolean {
    return this.#options.accepted.stream;
  }

  #end(event: TerminalEvent, status: number, headers: Refusal["headers"] = {}): void {
    this.#ended = true;
    clearTimeout(this.#keepAlive);
    const { json, stream } = this.#options.accepted;
    const streamed = this.#opened !== undefined || (stream && !json && status === 200);
    const { pump, lane } = streamed
      ? this.#stream()
      : this.#open({ status, headers: { ...headers, "Content-Type": "application/json" } }, bare);
    pump.finish();
    lane.send(event);
    lane.end(false);
  }

  #stream(): Opened {
    return this.#opened ?? this.#open({ status: 200, headers: streamHeaders }, sse);
  }

  #open(head: Head, framing: Framing): Opened {
    const { printing, writeTimeoutMs, onStalled } = this.#options;
    const sink = new ResponseSink(this.#res, head, () => this.#keepAlive?.refresh());
    const pump = new Pump(sink, { writeTimeoutMs, onStalled });
    this.#opened = { pump, sink, lane: pump.lane(createPrinter({ ...printing, framing })) };
    return this.#opened;
  }

  readonly #onSilence = (): void => {
    const { pump, lane, sink } = this.#stream();
    // A peer that has bytes to take needs no more of them.
    if (sink.idle) pump.push(lane, sseComment);
    this.#keepAlive?.refresh();
  };
}

/** A proxy that holds, gathers or compresses a stream would deliver its progress with the result. */
const streamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** A subscription's messages are all it is: without them it must not seem to be open. */
const undeliverable = refusal(406, "Expected a client that accepts text/event-stream for this method");
