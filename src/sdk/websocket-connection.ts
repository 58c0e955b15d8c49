import { attempt } from "../errors.ts";
import type { ProgressToken, RequestId } from "../events/index.ts";
import { closingError, InFlight } from "../transports/index.ts";
import type { Peer } from "../transports/node.ts";
import {
  type Decoded,
  decodeText,
  decodeValue,
  type ErrorBody,
  INTERNAL_ERROR,
  isObject,
  printError,
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
}

/** What may wait for a client before a notification that is no update of progress drops it, in characters. */
const maxWaiting = 16_777_216;
const unserializable: ErrorBody = { code: INTERNAL_ERROR, message: "The result cannot be serialized" };
const goingAway = { code: 1001, reason: "The server is closing" };
const internalError = { code: 1011, reason: "The connection cannot be served" };

interface Tracked {
  readonly method: string;
  readonly token: ProgressToken | undefined;
}

/** One connection's transport for a server of the SDK, which knows nothing of ids that are in flight twice. */
export class ServerTransport implements WebSocketTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage, extra?: MessageExtra) => void) | undefined;
  readonly #peer: Peer;
  readonly #link: Link;
  readonly #inFlight = new InFlight<Tracked>();
  readonly #maxInFlight: number | undefined;
  readonly #extra: MessageExtra | undefined;
  #closing = false;
  #started = false;

  /** The peer is paused until the start. */
  constructor(peer: Peer, sink: LinkSink, { authInfo, maxInFlight, ...options }: ServerTransportOptions) {
    this.#peer = peer;
    this.#maxInFlight = maxInFlight;
    this.#extra = authInfo === undefined ? undefined : { authInfo };
    const receive = (text: string): void => this.#receive(text);
    this.#link = new Link(peer, sink, this, { ...options, farewell: goingAway, receive });
  }

  async start(): Promise<void> {
    if (this.#started) throw new Error("Expected a transport to be started once, got a second start");
    this.#started = true;
    this.#peer.resume();
  }

  async send(message: JsonRpcMessage): Promise<void> {
    const answered = this.#note(message);
    try {
      await this.#link.send(message);
    } catch (cause) {
      // The server gives up a result without a JSON form; the client must not wait on.
      if (answered !== undefined) this.#refuse(unserializable, answered);
      throw cause;
    }
  }

  async close(): Promise<void> {
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
    for (const [id] of this.#inFlight.entries()) this.#refuse(closingError, id);
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
    if (refusal === undefined) this.#inFlight.add(id, { method, token });
    return refusal;
  }

  /** A cancelled request is never answered. */
  #forget({ method, params }: Extract<Decoded, { type: "notification" }>): void {
    if (method === "notifications/cancelled") this.#remove(readCancellation(params)?.requestId);
  }

  #remove(id: RequestId | undefined): void {
    const request = id === undefined ? undefined : this.#inFlight.get(id);
    if (id !== undefined && request !== undefined) this.#inFlight.remove(id, request);
  }

  /** The request that a message answers, if any. */
  #note(message: JsonRpcMessage): RequestId | undefined {
    const { id, method } = message;
    if (method === undefined) {
      this.#remove(id);
      return id;
    }
    if (id === undefined && this.#link.backlog > maxWaiting && updateTokenOf(message) === undefined) {
      this.#link.cut(new Error("The client takes less than it is sent"));
    }
    return undefined;
  }

  #refuse(error: ErrorBody, id: RequestId | undefined): void {
    this.#link.push(printError(id, error));
  }
}

function tokenOf({ _meta }: Readonly<Record<string, unknown>>): ProgressToken | undefined {
  const token = isObject(_meta) ? _meta.progressToken : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
