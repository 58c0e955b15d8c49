import { firstValueFrom, Subject } from "rxjs";
import type { ProgressEvent } from "../events/index.ts";

/** How many updates stand behind the one that is being sent; then the latest replaces the one before. */
const maxWaiting = 100;

/** The updates of one call on their way into the SDK: one at a time, in order. */
export class Notifier {
  readonly #send: (update: ProgressEvent) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: ProgressEvent[] = [];
  readonly #idle = new Subject<void>();
  #isSending = false;
  #isClosed = false;
  #hasSent = false;

  constructor(send: (update: ProgressEvent) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#send = send;
    this.#onFailure = onFailure;
  }

  /** Whether any update was sent. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  push(update: ProgressEvent): void {
    if (this.#isClosed) return;
    if (this.#waiting.length === maxWaiting) this.#waiting.pop();
    this.#waiting.push(update);
    if (!this.#isSending) void this.#empty();
  }

  /** Resolves when nothing is on its way, at once when nothing is, at the latest at the end. */
  drained(): Promise<void> {
    return this.#isSending ? firstValueFrom(this.#idle, { defaultValue: undefined }) : Promise.resolve();
  }

  /** Sends nothing more, and lets nobody wait. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.#idle.complete();
  }

  async #empty(): Promise<void> {
    this.#isSending = true;
    this.#hasSent = true;
    for (let update = this.#waiting.shift(); update !== undefined; update = this.#waiting.shift()) {
      try {
        await this.#send(update);
      } catch (error) {
        this.#onFailure(error);
      }
    }
    this.#isSending = false;
    this.#idle.next();
  }
}
