import type { ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import type {
  ElicitationEvent,
  Exchange,
  ProgressToken,
  RequestEvent,
  RequestId,
  TerminalEvent,
} from "../events/index.ts";
import { bare, createPrinter, type Framing, type PrinterOwner } from "../wire/index.ts";
import type { Accepted } from "./accept.ts";
import type { Lane } from "./lane.ts";
import { Pump, type PumpOwner } from "./pump.ts";
import { Asking, type Questions } from "./questions.ts";
import { type Refusal, refusal, statusOf } from "./refusal.ts";
import { type Head, ResponseSink } from "./response-sink.ts";
import type { Rota } from "./rota.ts";
import { sse, sseComment } from "./sse.ts";
import { after } from "./timer.ts";
import { turn } from "./turn.ts";

export interface ReplyLimits {
  /** In milliseconds. */
  readonly keepAliveMs: number;
  /** Tells answers that they may have been silent for that long. */
  readonly keepAlive: Rota<Reply>;
  /** In milliseconds. */
  readonly writeTimeoutMs: number;
}

/** What is answered, which is told of what becomes of the answer. */
export interface ReplyOwner extends PumpOwner, PrinterOwner {
  readonly id: RequestId;
  readonly era: Exchange["era"];
  readonly progressToken: ProgressToken | undefined;
  readonly accepted: Accepted;
  /** Where it may ask; absent where that is not done. */
  readonly questions: Questions | undefined;
  readonly limits: ReplyLimits;
}

/**
 * The answer to one request: one JSON body, or a stream once something precedes the result or the call
 * has been silent for `keepAliveMs`.
 */
export class Reply {
  readonly #res: ServerResponse;
  readonly #owner: ReplyOwner;
  #lane: Lane | undefined;
  #asking: Asking | undefined;
  #ended = false;
  #stopTimer: (() => void) | undefined;

  constructor(res: ServerResponse, owner: ReplyOwner) {
    this.#res = res;
    this.#owner = owner;
    if (this.#streams) owner.limits.keepAlive.add(this);
  }

  next(event: RequestEvent): void {
    if (event.type === "elicitation") return this.#ask(event);
    if (this.#ended) return;
    switch (event.type) {
      case "progress":
        // Nobody listens where no stream is taken or no token was given.
        if (this.#streams && this.#owner.progressToken !== undefined) this.#stream().progress(event);
        return;
      case "notification":
        if (this.#streams) this.#stream().send(event);
        else this.fail(undeliverable);
        return;
      case "result":
      case "error":
      case "input-required":
        return this.#end(event, this.#statusOf(event));
    }
  }

  /** Ends the reply without an answer: who cancelled waits for none. */
  cancel(reason: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopKeeping();
    if (!this.#streams) {
      this.#res.writeHead(202).end();
      return;
    }
    const lane = this.#stream();
    lane.end(true);
    this.#asking?.withdraw(reason);
    // A stream ends with its last write.
    lane.pump.finish();
    lane.push(sseComment);
  }

  /** Ends the reply with an error of the carrier, on the stream if there is one. */
  fail({ status, error, headers }: Refusal): void {
    if (!this.#ended) this.#end({ type: "error", error }, status, headers);
  }

  /** Resolves when there is room for more. */
  drained(): Promise<void> {
    return this.#lane?.drained() ?? turn();
  }

  /** Writes nothing more. */
  close(): void {
    this.#ended = true;
    this.#stopKeeping();
    this.#lane?.end(true);
    this.#lane?.pump.close();
    this.#asking?.fail();
  }

  get #streams(): boolean {
    return this.#owner.accepted.stream;
  }

  /** In the modern era the terminal `input-required` carries the questions. */
  #ask(event: ElicitationEvent): void {
    const { questions } = this.#owner;
    if (questions === undefined) return;
    if (this.#ended) return event.answer?.(new Disconnected());
    if (!this.#streams) return event.answer?.(new Disconnected("The client accepts no stream that could ask it"));
    this.#asking ??= new Asking({ questions, framing: sse, lane: this.#stream() });
    this.#asking.ask(event);
  }

  #statusOf(event: TerminalEvent): number {
    return event.type === "error" && this.#owner.era === "modern" ? statusOf(event.error) : 200;
  }

  #end(event: TerminalEvent, status: number, headers: Refusal["headers"] = {}): void {
    this.#ended = true;
    this.#stopKeeping();
    this.#asking?.withdraw(new Disconnected("The request has ended"));
    const { json, stream } = this.#owner.accepted;
    const streamed = this.#lane !== undefined || (stream && !json && status === 200);
    const lane = streamed
      ? this.#stream()
      : this.#open({ status, headers: { ...headers, "Content-Type": "application/json" } }, bare);
    lane.pump.finish();
    lane.send(event);
    lane.end(false);
  }

  #stream(): Lane {
    return this.#lane ?? this.#open(streamHead, sse);
  }

  #open(head: Head, framing: Framing): Lane {
    const owner = this.#owner;
    const { id, progressToken, limits } = owner;
    const pump = new Pump(new ResponseSink(this.#res, head), { writeTimeoutMs: limits.writeTimeoutMs, owner });
    this.#lane = pump.lane(createPrinter({ id, progressToken, framing, owner }));
    return this.#lane;
  }

  /** Says that it is still there, unless something was written meanwhile: no write has to put the timer off. */
  keep(): void {
    const { keepAliveMs, keepAlive } = this.#owner.limits;
    const lane = this.#stream();
    const restMs = keepAliveMs - lane.pump.silentMs;
    if (restMs >= 1) {
      // It is due before those that came last.
      this.#stopTimer = after(restMs, () => this.keep());
      return;
    }
    // A peer that has bytes to take needs no more of them.
    if (lane.pump.idle) lane.push(sseComment);
    this.#stopTimer = undefined;
    keepAlive.add(this);
  }

  #stopKeeping(): void {
    this.#owner.limits.keepAlive.delete(this);
    this.#stopTimer?.();
  }
}

/** A proxy that holds, gathers or compresses a stream would deliver its progress with the result. */
const streamHead: Head = {
  status: 200,
  headers: {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
  },
};

/** A subscription's messages are all it is: without them it must not seem to be open. */
const undeliverable = refusal(406, "Expected a client that accepts text/event-stream for this method");
