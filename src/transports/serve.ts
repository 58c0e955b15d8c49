import { Cancelled, Disconnected } from "../errors.ts";
import type { RequestId, Servable } from "../events/index.ts";
import {
  createPrinter,
  decodeText,
  type ErrorBody,
  type Framing,
  printError,
  readCancellation,
} from "../wire/index.ts";
import { admit } from "./admit.ts";
import type { LegacyClient, LegacyPolicy, Terms } from "./era.ts";
import { closingError, InFlight } from "./in-flight.ts";
import type { Lane } from "./lane.ts";
import { type Channel, OpenRequest } from "./open-request.ts";
import { Pump } from "./pump.ts";
import { Questions } from "./questions.ts";
import { reportFailure, reportSlowClient } from "./reports.ts";
import type { Sink } from "./sink.ts";
import { warnUnheard } from "./warn.ts";

export interface SessionOptions {
  /** What surrounds each message on this connection. */
  readonly framing: Framing;
  /** What `authenticate` returned for this connection. */
  readonly principal?: unknown;
  /** @default "serve" */
  readonly legacy?: LegacyPolicy | undefined;
  /** Requests that may be open at once on this connection. @default 1_000 */
  readonly maxInFlight?: number | undefined;
  /**
   * How long an answer keeps its distance from the last update of its request, in milliseconds, for clients
   * that lose what they read in one piece with the answer. @default 0
   */
  readonly answerGapMs?: number | undefined;
  /** How long the peer may take nothing before it is dropped, in milliseconds. @default 30_000 */
  readonly writeTimeoutMs?: number | undefined;
  /** Stops or resumes reading: a peer that sends but takes nothing must not fill the memory with answers. */
  readonly pause?: ((paused: boolean) => void) | undefined;
  /** Cuts the connection: the peer takes nothing. */
  readonly drop: () => void;
}

type Request = Extract<ReturnType<typeof decodeText>, { type: "request" }>;

/**
 * One duplex connection, whatever carries it: text messages in, frames out through one pump.
 * Ids and tokens are this connection's own; nothing reaches another.
 */
export class Session {
  readonly #server: Servable;
  readonly #options: SessionOptions;
  readonly #pump: Pump;
  readonly #voice: Lane;
  readonly #channel: Channel;
  readonly #inFlight = new InFlight<OpenRequest>();
  readonly #questions = new Questions();
  readonly #closing = new AbortController();
  /** Who has shaken hands; the last one to do so. */
  #client: LegacyClient | undefined;
  #paused = false;
  #disconnected = false;

  constructor(server: Servable, sink: Sink, options: SessionOptions) {
    this.#server = server;
    this.#options = options;
    const { writeTimeoutMs, framing } = options;
    this.#pump = new Pump(sink, {
      writeTimeoutMs,
      owner: { stalled: () => this.#stalled(), failed: (cause) => this.#failed(cause) },
    });
    this.#channel = {
      server,
      pump: this.#pump,
      framing,
      questions: this.#questions,
      answerGapMs: options.answerGapMs ?? 0,
      over: (open) => this.#inFlight.remove(open.id, open),
    };
    this.#voice = this.#pump.lane(createPrinter({ id: 0, progressToken: undefined, framing }));
    warnUnheard(server);
  }

  /** How much waits for the write in flight to end, in characters. */
  get backlog(): number {
    return this.#pump.backlog;
  }

  /** Takes one complete message. */
  receive(text: string): void {
    if (this.#disconnected) return;
    this.#receive(text);
    this.#checkBacklog();
  }

  /** Answers what never became a request. */
  refuse(error: ErrorBody, id?: RequestId): void {
    if (this.#disconnected) return;
    this.#refuse(error, id);
    this.#checkBacklog();
  }

  #receive(text: string): void {
    const message = decodeText(text);
    switch (message.type) {
      case "request":
        return this.#request(message);
      case "notification":
        return this.#notification(message.method, message.params);
      case "invalid":
        // What waits for no answer gets none.
        return message.oneWay ? undefined : this.#refuse(message.error, message.id);
      case "response":
        return this.#questions.receive(message);
    }
  }

  #refuse(error: ErrorBody, id?: RequestId): void {
    this.#pump.push(this.#voice, printError(id, error, this.#options.framing));
  }

  /** The peer is gone: aborts every request, takes none and writes nothing more. */
  disconnect(reason: Error = new Disconnected()): void {
    this.#disconnected = true;
    for (const [, open] of this.#inFlight.entries()) open.lose(reason);
    this.#pump.close();
  }

  /**
   * Takes no new requests, lets those in flight finish within `graceMs`, aborts the rest; resolves when all
   * is written. Called again with less grace, it hastens the first call.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    await this.#inFlight.emptyWithin(graceMs);
    for (const [id, open] of this.#inFlight.entries()) {
      if (open.conclude()) continue;
      open.leave(new Disconnected("The server is closing"));
      this.#refuse(closingError, id);
    }
    await this.#pump.flushed();
  }

  #request(request: Request): void {
    const { legacy = "serve", maxInFlight } = this.#options;
    const closing = this.#closing.signal.aborted;
    const refusal = this.#inFlight.refuse(request.id, { closing, maxInFlight });
    if (refusal !== undefined) return this.#refuse(refusal, request.id);
    const admission = admit(request, { legacy, client: this.#client });
    if (admission.type !== "admitted") return this.#refuse(admission.error, request.id);
    const { terms } = admission;
    const taken = this.#inFlight.refuseToken(terms.progressToken);
    if (taken !== undefined) return this.#refuse(taken, request.id);
    this.#open(request, terms);
  }

  #open(request: Request, terms: Terms): void {
    const { principal } = this.#options;
    const cargo = { request, terms, principal, closing: this.#closing.signal, deliversProgress: true };
    const onResult = isHandshake(request.method, terms) ? () => this.#remember(terms) : undefined;
    const open = new OpenRequest(this.#channel, cargo, onResult);
    this.#inFlight.add(request.id, open);
    open.start(cargo);
  }

  #remember({ protocolVersion, client }: Terms): void {
    this.#client = { protocolVersion, client };
  }

  #notification(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method !== "notifications/cancelled") return;
    const cancellation = readCancellation(params);
    if (cancellation === undefined) return;
    // Cancelled means silence: nothing more of this request is written.
    this.#inFlight.get(cancellation.requestId)?.leave(new Cancelled(cancellation.reason));
  }

  #checkBacklog(): void {
    if (this.#paused || this.#pump.backlog <= maxBacklog) return;
    this.#paused = true;
    this.#options.pause?.(true);
    void this.#voice.drained().then(() => {
      this.#paused = false;
      this.#options.pause?.(false);
    });
  }

  #stalled(): void {
    reportSlowClient(this.#server.diagnostics);
    this.disconnect(new Disconnected("The client took nothing for too long"));
    this.#options.drop();
  }

  #failed(cause: unknown): void {
    reportFailure(this.#server.diagnostics, cause);
    this.disconnect(new Disconnected("The connection was lost"));
    this.#options.drop();
  }
}

function isHandshake(method: string, { era }: Terms): boolean {
  return era === "legacy" && method === "initialize";
}

/** Answers that may wait for a peer before its own messages are no longer read, in characters. */
export const maxBacklog = 1_048_576;
