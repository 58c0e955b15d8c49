import { attempt } from "../errors.ts";
import type { ProgressToken, RequestId } from "../events/index.ts";
import { after, closingError, InFlight } from "../transports/index.ts";
import type { Peer } from "../transports/node.ts";
import {
  type Decoded,
  decodeText,
  decodeValue,
  type ErrorBody,
  INTERNAL_ERROR,
  isObject,
  printError,
  printJson,
  readCancellation,
} from "../wire/index.ts";
import { Link, type LinkSink } from "./websocket-link.ts";
import { updateTokenOf } from "./websocket-outbox.ts";
import type { JsonRpcMessage, MessageExtra, WebSocketTransport } from "./websocket-transport.ts";

export interface ServerTransportOptions {
  /** What `authenticate` returned. */
  readonly authInfo: unknown;
  readonly maxInFlight?: number | undefined;
  readonly writeTimeoutMs?: number | undefined;
  readonly pingMs?: number | undefined;
  readonly answerGapMs?: number | undefined;
}

/** What may wait for a client before a notification that is no update of progress drops it, in characters. */
const maxWaiting = 16_777_216;
const unserializable: ErrorBody = { code: INTERNAL_ERROR, message: "The result cannot be serialized" };
const goingAway = { code: 1001, reason: "The server is closing" };
const internalError = { code: 1011, reason: "The connection cannot be served" };

/** A request of the client that a server of the SDK has not answered. */
interface Tracked {
  readonly method: string;
  readonly token: ProgressToken | undefined;
  /** Whether an update of it was sent. */
  hasReported: boolean;
  /** Ends the wait of an answer that keeps its distance: sends it, unless its request was left. */
  conclude?: () => void;
}

/** One connection's transport for a server of the SDK, which knows nothing of ids that are in flight twice. */
export class ServerTransport implements WebSocketTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage, extra?: MessageExtra) => void) | undefined;
  readonly #peer: Peer;
  readonly #link: Link;
  readonly #inFlight = new InFlight<Tracked>();
  readonly #answerGapMs: number;
  readonly #maxInFlight: number | undefined;
  readonly #extra: MessageExtra | undefined;
  #closing = false;
  #started = false;

  /** The peer is paused until the start. */
  constructor(peer: Peer, sink: LinkSink, options: ServerTransportOptions) {
    const { authInfo, maxInFlight, answerGapMs = 10, ...limits } = options;
    this.#peer = peer;
    this.#maxInFlight = maxInFlight;
    this.#answerGapMs = answerGapMs;
    this.#extra = authInfo === undefined ? undefined : { authInfo };
    const receive = (text: string): void => this.#receive(text);
    this.#link = new Link(peer, sink, this, { ...limits, farewell: goingAway, receive });
  }

  async start(): Promise<void> {
    if (this.#started) throw new Error("Expected a transport to be started once, got a second start");
    this.#started = true;
    this.#peer.resume();
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (message.method === undefined) return this.#answer(message);
    this.#note(message);
    await this.#link.send(message);
  }

  /** What keeps its distance is sent first. */
  async close(): Promise<void> {
    for (const [, request] of this.#inFlight.entries()) request.conclude?.();
    await this.#link.close();
  }

  /** Nobody serves this connection. */
  fail(): Promise<void> {
    return this.#link.close(internalError);
  }

  /** Takes no new requests, lets those in flight finish within `graceMs`, answers the rest and closes. */
  async conclude(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const [id, request] of this.#inFlight.entries()) {
      // It would never end by itself.
      if (request.method === "subscriptions/listen") this.#inFlight.remove(id, request);
    }
    await this.#inFlight.emptyWithin(graceMs);
    for (const [id, request] of this.#inFlight.entries()) {
      if (request.conclude === undefined) this.#refuse(closingError, id);
    }
    await this.close();
  }

  #receive(text: string): void {
    const value: unknown = attempt(() => JSON.parse(text));
    const message = value === undefined ? decodeText(text) : decodeValue(value);
    const error = message.type === "invalid" ? message.error : this.#admit(message);
    if (error === undefined) return this.#link.deliver(value as JsonRpcMessage, this.#extra);
    // What waits for no answer gets none.
    if (message.type === "invalid" && message.oneWay) return this.#link.report(new Error(error.message));
    this.#refuse(error, "id" in message ? message.id : undefined);
  }

  /** Keeps the books; why a request cannot be taken, if so. */
  #admit(message: Exclude<Decoded, { type: "invalid" }>): ErrorBody | undefined {
    if (message.type === "notification") this.#forget(message);
    if (message.type !== "request") return undefined;
    const { id, method, params } = message;
    const token = tokenOf(params);
    const refusal =
      this.#inFlight.refuse(id, { closing: this.#closing, maxInFlight: this.#maxInFlight }) ??
      this.#inFlight.refuseToken(token);
    if (refusal === undefined) this.#inFlight.add(id, { method, token, hasReported: false });
    return refusal;
  }

  /** A cancelled request is never answered. */
  #forget({ method, params }: Extract<Decoded, { type: "notification" }>): void {
    if (method === "notifications/cancelled") this.#remove(readCancellation(params)?.requestId)?.conclude?.();
  }

  #remove(id: RequestId | undefined): Tracked | undefined {
    const request = id === undefined ? undefined : this.#inFlight.get(id);
    if (id !== undefined && request !== undefined) this.#inFlight.remove(id, request);
    return request;
  }

  #note(message: JsonRpcMessage): void {
    const token = updateTokenOf(message);
    const reported = token === undefined ? undefined : this.#inFlight.withToken(token);
    if (reported !== undefined) reported.hasReported = true;
    if (token === undefined && message.id === undefined && this.#link.backlog > maxWaiting) {
      this.#link.cut(new Error("The client takes less than it is sent"));
    }
  }

  async #answer(message: JsonRpcMessage): Promise<void> {
    const { id } = message;
    const request = id === undefined ? undefined : this.#inFlight.get(id);
    try {
      if (id !== undefined && request !== undefined && this.#isNear(request)) {
        return this.#keep(id, request, printJson(message));
      }
      this.#remove(id);
      await this.#link.send(message);
    } catch (cause) {
      this.#remove(id);
      // The server gives up a result without a JSON form; the client must not wait on.
      if (id !== undefined) this.#refuse(unserializable, id);
      throw cause;
    }
  }

  /**
   * Whether a client would read the answer in one piece with an update of its request: the official one then
   * loses the update on every transport that hands over all that came at once.
   */
  #isNear({ hasReported }: Tracked): boolean {
    return this.#answerGapMs > 0 && hasReported && this.#link.wroteWithin(this.#answerGapMs);
  }

  /** The request stays in flight until its answer is sent. */
  #keep(id: RequestId, request: Tracked, frame: string): void {
    const stop = after(this.#answerGapMs, () => request.conclude?.());
    request.conclude = () => {
      stop();
      if (this.#inFlight.get(id) !== request) return;
      this.#inFlight.remove(id, request);
      this.#link.push(frame);
    };
  }

  #refuse(error: ErrorBody, id: RequestId | undefined): void {
    this.#link.push(printError(id, error));
  }
}

function tokenOf({ _meta }: Readonly<Record<string, unknown>>): ProgressToken | undefined {
  const token = isObject(_meta) ? _meta.progressToken : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
