import { filter, firstValueFrom, map, Subject, startWith } from "rxjs";
import type { RequestEvent, RequestId, Result } from "../events/index.ts";
import { createUpdate, isThenable, type ProgressUpdate } from "../progress/index.ts";
import type { ErrorBody } from "../wire/index.ts";
import type { Watcher } from "./target.ts";

/** A message of the server as it came. */
export interface ReceivedMessage {
  /** Of the request that it answers. */
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Result;
  readonly error?: ErrorBody;
}

/** What a test client has seen of its server, and what the handlers were told. */
export class Notes implements Watcher {
  readonly received: ReceivedMessage[] = [];
  readonly updates: ProgressUpdate[] = [];
  readonly #aborted = new Map<RequestId, Error>();
  readonly #open = new Set<RequestId>();
  readonly #running = new Set<PromiseLike<unknown>>();
  readonly #changes = new Subject<void>();
  #reported = 0;
  #sent = false;
  #left = false;

  get aborted(): readonly Error[] {
    return [...this.#aborted.values()];
  }

  /** Updates that were reported and did not come. */
  get missing(): number {
    return this.#reported - this.updates.length;
  }

  /** Requests that were neither answered nor cancelled. */
  get open(): readonly RequestId[] {
    return [...this.#open];
  }

  get isLeft(): boolean {
    return this.#left;
  }

  /** Whether nothing more will come. */
  get isDone(): boolean {
    return this.#left || (this.#sent && this.#open.size === 0);
  }

  sent(id: RequestId): void {
    this.#sent = true;
    this.#open.add(id);
  }

  receive(text: string): void {
    const message: ReceivedMessage = JSON.parse(text);
    this.received.push(message);
    if (message.method === "notifications/progress") this.updates.push(readUpdate(message.params));
    if (message.id !== undefined && message.method === undefined) this.#open.delete(message.id);
    this.#changes.next();
  }

  /** The client has left, or given up these requests alone. */
  leave(ids?: readonly RequestId[]): void {
    this.#left ||= ids === undefined;
    for (const id of ids ?? this.open) this.#open.delete(id);
    this.#changes.next();
  }

  /** Resolves when it is so. */
  async until(isSo: () => boolean): Promise<void> {
    await firstValueFrom(this.#changes.pipe(startWith(undefined), map(isSo), filter(Boolean)));
  }

  /** Resolves when nothing more will come and every handler has settled. */
  stopped(): Promise<void> {
    return this.until(() => this.isDone && this.#running.size === 0);
  }

  event(_id: RequestId, { type }: RequestEvent): void {
    if (type === "progress") this.#reported += 1;
  }

  told(id: RequestId, reason: Error): void {
    if (!this.#aborted.has(id)) this.#aborted.set(id, reason);
  }

  returned(_id: RequestId, value: unknown): void {
    if (!isThenable(value)) return;
    this.#running.add(value);
    const settle = (): void => {
      this.#running.delete(value);
      this.#changes.next();
    };
    value.then(settle, settle);
  }
}

function readUpdate(params: object = {}): ProgressUpdate {
  const { progress, total, message } = params as ProgressUpdate;
  return createUpdate(progress, total, message);
}
