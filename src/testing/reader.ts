import { asyncScheduler, type SchedulerLike, type Subscription } from "rxjs";
import type { RequestId } from "../events/index.ts";
import type { ProgressUpdate } from "../progress/index.ts";
import { Session } from "../transports/index.ts";
import { bare, encodeEnvelope, latestVersion, printNotification, printRequest } from "../wire/index.ts";
import type { LeavingClientOptions, SlowClientOptions, TestClient } from "./client.ts";
import { Notes, type ReceivedMessage } from "./notes.ts";
import { Pipe } from "./pipe.ts";
import type { TestRequest } from "./request.ts";
import { servableOf, type Target } from "./target.ts";

/** A client at the end of a pipe, which it reads by its options. */
export class Reader implements TestClient {
  readonly #options: SlowClientOptions & LeavingClientOptions;
  readonly #scheduler: SchedulerLike;
  readonly #session: Session;
  readonly #pipe: Pipe;
  readonly #notes = new Notes();
  #timer: Subscription | undefined;
  #moment: Subscription | undefined;
  #lastId = 0;
  #wanted = 0;
  #peak = 0;

  constructor(target: Target, options: SlowClientOptions & LeavingClientOptions) {
    const { principal, writeTimeoutMs, scheduler = asyncScheduler, atMs } = options;
    this.#options = options;
    this.#scheduler = scheduler;
    this.#pipe = new Pipe(
      (text) => this.#receive(text),
      () => this.#onWritten(),
    );
    const watcher = {
      event: (...args: Parameters<Notes["event"]>) => {
        this.#measure();
        this.#notes.event(...args);
      },
      told: (...args: Parameters<Notes["told"]>) => this.#notes.told(...args),
      returned: (...args: Parameters<Notes["returned"]>) => this.#notes.returned(...args),
    };
    const sessionOptions = { framing: bare, principal, writeTimeoutMs, drop: () => this.leave() };
    this.#session = new Session(servableOf(target, watcher), this.#pipe, sessionOptions);
    if (atMs !== undefined) this.#moment = scheduler.schedule(() => this.#quit(), atMs);
  }

  get received(): readonly ReceivedMessage[] {
    return this.#notes.received;
  }

  get updates(): readonly ProgressUpdate[] {
    return this.#notes.updates;
  }

  get merged(): number {
    return this.#notes.missing;
  }

  get peak(): number {
    return this.#peak;
  }

  get aborted(): readonly Error[] {
    return this.#notes.aborted;
  }

  send({ method, params, progressToken }: TestRequest): void {
    this.#lastId += 1;
    const id = this.#lastId;
    const { clientInfo, capabilities = {} } = this.#options;
    const token = progressToken === null ? {} : { progressToken: progressToken ?? id };
    const _meta = encodeEnvelope({ protocolVersion: latestVersion, clientInfo, capabilities, ...token });
    this.#notes.sent(id);
    this.#session.receive(printRequest(id, method, { ...params, _meta }));
  }

  async read(count = 1): Promise<readonly ReceivedMessage[]> {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new RangeError(`Expected \`count\` to be an integer of at least 1, got ${count}`);
    }
    const { received } = this;
    const from = Math.max(this.#wanted, received.length);
    const end = from + count;
    this.#wanted = end;
    this.#pipe.demand(count);
    await this.#notes.until(() => received.length >= end || this.#notes.isDone);
    if (received.length < end) this.#wantNothing();
    return received.slice(from, end);
  }

  /** Nothing more will come: what was wanted is not taken from what a later request brings. */
  #wantNothing(): void {
    const { length } = this.received;
    this.#pipe.demand(length - this.#wanted);
    this.#wanted = length;
  }

  async readAll(): Promise<readonly ReceivedMessage[]> {
    const from = this.received.length;
    this.#pipe.demand(Infinity);
    await this.done();
    return this.received.slice(from);
  }

  cancel(reason?: string): void {
    const { open } = this.#notes;
    for (const requestId of open) {
      this.#session.receive(printNotification("notifications/cancelled", { requestId, reason }));
    }
    this.#giveUp(open);
  }

  leave(): void {
    if (this.#notes.isLeft) return;
    this.#session.disconnect();
    this.#pipe.close();
    this.#timer?.unsubscribe();
    this.#giveUp();
  }

  done(): Promise<void> {
    return this.#notes.until(() => this.#notes.isDone);
  }

  stopped(): Promise<void> {
    return this.#notes.stopped();
  }

  #receive(text: string): void {
    this.#notes.receive(text);
    if (this.received.length === this.#options.afterMessages) this.#quit();
  }

  #quit(): void {
    if (this.#options.cancels === true) this.cancel();
    else this.leave();
  }

  #giveUp(ids?: readonly RequestId[]): void {
    this.#moment?.unsubscribe();
    this.#notes.leave(ids);
  }

  #onWritten(): void {
    this.#measure();
    const { everyMs } = this.#options;
    if (everyMs === undefined || this.#timer !== undefined) return;
    this.#timer = this.#scheduler.schedule(() => this.#onTime(), everyMs);
  }

  #onTime(): void {
    this.#timer = undefined;
    this.#pipe.readOne();
    if (!this.#pipe.idle) this.#onWritten();
  }

  #measure(): void {
    this.#peak = Math.max(this.#peak, this.#pipe.size + this.#session.backlog);
  }
}
