import { fromEvent, Observable, type Subscriber, timer } from "rxjs";
import { Deadline, Disconnected } from "../errors.ts";
import type { MemoryConnection } from "../transports/index.ts";
import { printNotification } from "../wire/index.ts";
import type { CallEvent } from "./increasing.ts";
import { readMessage } from "./message.ts";

/** What ends a call early, and whether it asks for progress. */
export interface CallSettings {
  /** Sends a token, so that the server may report. */
  readonly listening: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

interface Call {
  readonly subscriber: Subscriber<CallEvent>;
  readonly listening: boolean;
}

/**
 * The client's side of one connection: gives out ids, routes what arrives, in the order of arrival.
 * Only calls in flight are remembered, so what comes for any other is ignored.
 */
export class Connection {
  readonly #wire: MemoryConnection;
  readonly #envelope: object;
  /** By id, which is also the call's token. */
  readonly #calls = new Map<unknown, Call>();
  #lastId = 0;
  #closed: Disconnected | undefined;

  /** `envelope` goes into the `_meta` of every request. */
  constructor(wire: MemoryConnection, envelope: object) {
    this.#wire = wire;
    this.#envelope = envelope;
    wire.messages.subscribe({
      next: (text) => this.#receive(text),
      complete: () => this.#end(new Disconnected("The server closed the connection")),
    });
  }

  /**
   * One request, sent on subscription. Unsubscribing before the end cancels it.
   * Errors with an `McpError`, the signal's reason, a `Deadline` or a `Disconnected`.
   */
  call(method: string, params: Params, { listening, signal, timeoutMs }: CallSettings): Observable<CallEvent> {
    return new Observable((subscriber) => {
      checkTimeout(timeoutMs);
      if (signal?.aborted === true) return subscriber.error(signal.reason);
      if (this.#closed !== undefined) return subscriber.error(this.#closed);
      const id = ++this.#lastId;
      const text = this.#print(id, method, params, listening);
      this.#calls.set(id, { subscriber, listening });
      const giveUp = (reason: unknown): void => {
        this.#cancel(id, reason);
        subscriber.error(reason);
      };
      subscriber.add(() => this.#cancel(id));
      if (signal !== undefined) subscriber.add(fromEvent(signal, "abort").subscribe(() => giveUp(signal.reason)));
      if (timeoutMs !== undefined) subscriber.add(timer(timeoutMs).subscribe(() => giveUp(new Deadline(timeoutMs))));
      this.#wire.send(text);
    });
  }

  /** Ends every call in flight and takes no more. */
  close(): void {
    this.#end(new Disconnected("The client was closed"));
  }

  #print(id: number, method: string, params: Params, listening: boolean): string {
    const token = listening ? { progressToken: id } : undefined;
    const _meta = { ...params._meta, ...this.#envelope, ...token };
    return JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
  }

  #receive(text: string): void {
    const message = readMessage(text);
    switch (message.type) {
      case "progress": {
        const call = this.#calls.get(message.token);
        if (call?.listening === true) call.subscriber.next({ type: "progress", ...message.update });
        return;
      }
      case "result": {
        const subscriber = this.#take(message.id);
        subscriber?.next({ type: "result", result: message.result });
        return subscriber?.complete();
      }
      case "error":
        return this.#take(message.id)?.error(message.error);
      case "other":
        return undefined;
    }
  }

  #take(id: unknown): Subscriber<CallEvent> | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call?.subscriber;
  }

  #cancel(requestId: number, why?: unknown): void {
    if (this.#take(requestId) === undefined) return;
    this.#wire.send(printNotification("notifications/cancelled", { requestId, reason: textOf(why) }));
  }

  #end(reason: Disconnected): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#wire.close();
    for (const { subscriber } of calls) subscriber.error(reason);
  }
}

/** A request's own params; its `_meta` is kept, except for what the envelope says. */
export interface Params {
  readonly [key: string]: unknown;
  readonly _meta?: object | undefined;
}

function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || (timeoutMs > 0 && timeoutMs <= maxTimeoutMs)) return;
  throw new RangeError(`Expected \`timeoutMs\` to be greater than 0 and at most ${maxTimeoutMs}, got ${timeoutMs}`);
}

/** What a timer can hold; it fires at once beyond that. */
const maxTimeoutMs = 2_147_483_647;

function textOf(reason: unknown): string | undefined {
  if (reason instanceof Error) return reason.message;
  return typeof reason === "string" ? reason : undefined;
}
