import { merge, Observable, type SchedulerLike, Subject, type Subscriber, Subscription } from "rxjs";
import { Disconnected, isInstance, messageOf } from "../errors.ts";
import type { MemoryConnection } from "../transports/index.ts";
import { type Envelope, encodeEnvelope, printNotification, printRequest } from "../wire/index.ts";
import { aborted } from "./abort.ts";
import type { CallEvent } from "./event.ts";
import { readMessage } from "./message.ts";
import { Patience } from "./timeout.ts";

/** What a request says of its client, what ends it early, and whether it asks for progress. */
export interface CallSettings {
  readonly envelope: Omit<Envelope, "progressToken">;
  /** Sends a token, so that the server may report. */
  readonly listening: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly resetTimeoutOnProgress?: boolean | undefined;
}

interface Call {
  readonly subscriber: Subscriber<CallEvent>;
  readonly listening: boolean;
  /** What an update keeps waiting. */
  readonly patience?: Patience | undefined;
  /** What may end it early. */
  readonly limits: Subscription;
}

/**
 * The client's side of one connection: gives out ids, routes what arrives, in the order of arrival.
 * Only calls in flight are remembered, so what comes for any other is ignored.
 */
export class Connection {
  readonly #wire: MemoryConnection;
  readonly #scheduler: SchedulerLike | undefined;
  /** Errors at the end of the connection. */
  readonly #over = new Subject<never>();
  /** By id, which is also the call's token. */
  readonly #calls = new Map<unknown, Call>();
  #lastId = 0;
  #closed: Disconnected | undefined;

  /** `scheduler` is where timeouts come from. */
  constructor(wire: MemoryConnection, scheduler?: SchedulerLike) {
    this.#wire = wire;
    this.#scheduler = scheduler;
    wire.messages.subscribe({
      next: (text) => this.#receive(text),
      complete: () => this.#end(new Disconnected("The server closed the connection")),
    });
  }

  /**
   * One request, sent on subscription. Unsubscribing before the end cancels it.
   * Errors with an `McpError`, the signal's reason, a `Deadline` or a `Disconnected`.
   */
  call(method: string, params: Params, settings: CallSettings): Observable<CallEvent> {
    const { envelope, listening, signal } = settings;
    return new Observable((subscriber) => {
      if (signal?.aborted === true) return subscriber.error(signal.reason);
      if (this.#closed !== undefined) return subscriber.error(this.#closed);
      const id = ++this.#lastId;
      const progressToken = listening ? id : undefined;
      const _meta = { ...params._meta, ...encodeEnvelope({ ...envelope, progressToken }) };
      const text = printRequest(id, method, { ...params, _meta });
      const giveUp = (reason: unknown): void => {
        this.#cancel(id, reason);
        subscriber.error(reason);
      };
      const limits = new Subscription();
      const patience = this.#patience(settings, limits, giveUp);
      this.#calls.set(id, { subscriber, listening, patience, limits });
      subscriber.add(() => this.#cancel(id));
      if (signal !== undefined) limits.add(aborted(signal).subscribe({ error: giveUp }));
      this.#wire.send(text);
    });
  }

  /** Starts the time that a request is given; returns it when progress renews it. */
  #patience(
    { timeoutMs, resetTimeoutOnProgress }: CallSettings,
    limits: Subscription,
    giveUp: (reason: unknown) => void,
  ): Patience | undefined {
    if (timeoutMs === undefined) return undefined;
    const patience = new Patience(timeoutMs, giveUp, this.#scheduler);
    limits.add(patience);
    return resetTimeoutOnProgress === true ? patience : undefined;
  }

  /** Errors when the signal aborts or the connection ends: what ends a call that has no request in flight. */
  gone(signal: AbortSignal | undefined): Observable<never> {
    return merge(this.#over, aborted(signal));
  }

  /** Ends every call and takes no more. */
  close(): void {
    this.#end(new Disconnected("The client was closed"));
  }

  #receive(text: string): void {
    const message = readMessage(text);
    switch (message.type) {
      case "progress": {
        const call = this.#calls.get(message.token);
        if (call?.listening !== true) return;
        call.patience?.renew(message.update.progress);
        return call.subscriber.next({ type: "progress", ...message.update });
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

  /** Forgets a call that is over: before its end is told, for what that causes may take its time. */
  #take(id: unknown): Subscriber<CallEvent> | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.limits.unsubscribe();
    return call?.subscriber;
  }

  #cancel(requestId: number, why?: unknown): void {
    if (this.#take(requestId) === undefined) return;
    this.#wire.send(printNotification("notifications/cancelled", { requestId, reason: textOf(why) }));
  }

  #end(reason: Disconnected): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    const subscribers = [...this.#calls.keys()].map((id) => this.#take(id));
    this.#wire.close();
    for (const subscriber of subscribers) subscriber?.error(reason);
    this.#over.error(reason);
  }
}

/** A request's own params; its `_meta` is kept, except for what the envelope says. */
export interface Params {
  readonly [key: string]: unknown;
  readonly _meta?: object | undefined;
}

function textOf(reason: unknown): string | undefined {
  return isInstance(reason, Error) || typeof reason === "string" ? messageOf(reason) : undefined;
}
