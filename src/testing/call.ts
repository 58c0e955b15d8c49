import type { Subscription } from "rxjs";
import type { TestScheduler } from "rxjs/testing";
import { Cancelled } from "../errors.ts";
import type { Dispatch, RequestEvent } from "../events/index.ts";
import { isThenable } from "../progress/index.ts";
import type { TestRequest } from "./request.ts";
import { type MarbleClient, Scene } from "./scene.ts";
import { servableOf, type Target, type Watcher } from "./target.ts";

/** An event, or the completion after the last one. */
export interface Heard {
  readonly frame: number;
  readonly event: RequestEvent | undefined;
}

/** How far virtual time goes, so that an endless timer ends, in milliseconds. */
export const horizonMs = 3_600_000;

/** A call in virtual time, and what became of it. */
export class MarbleCall {
  readonly heard: Heard[] = [];
  readonly scene: Scene;
  /** When and why its handler's signal was aborted. */
  aborted: { readonly frame: number; readonly reason: Error } | undefined;
  /** Its handler is not an Observable but a promise: known of a tool only. */
  promised = false;
  isOver = false;
  readonly #scheduler: TestScheduler;
  readonly #dispatch: Dispatch;
  readonly #request: TestRequest;
  #isWatched = true;
  #subscription: Subscription | undefined;

  constructor(scheduler: TestScheduler, target: Target, request: TestRequest, client: MarbleClient) {
    this.#scheduler = scheduler;
    this.#request = request;
    this.scene = new Scene(scheduler, client);
    const watcher: Watcher = {
      told: (_, reason) => {
        if (this.#isWatched) this.aborted ??= { frame: scheduler.now(), reason };
      },
      returned: (_, value) => {
        this.promised ||= isThenable(value);
      },
    };
    this.#dispatch = servableOf(target, watcher).dispatch;
    // In this order: who leaves does so before anything else of that moment, as in RxJS.
    scheduler.schedule(() => this.#subscribe(client.reason), this.scene.subscribedAt);
    if (this.scene.leavesAt < Infinity) scheduler.schedule(() => this.#leave(), this.scene.leavesAt);
    scheduler.schedule(() => this.#giveUp(), horizonMs);
  }

  /** What it is called in messages. */
  get title(): string {
    const { method, params = {} } = this.#request;
    return [method, params.name ?? params.uri].filter((word) => word !== undefined).join(" ");
  }

  #subscribe(reason: Error = new Cancelled()): void {
    const { method, params = {}, progressToken = "marbles" } = this.#request;
    const request = { id: 1, method, params, progressToken: progressToken ?? undefined, whyLeft: () => reason };
    const hear = (event: RequestEvent | undefined) => this.heard.push({ frame: this.#scheduler.now(), event });
    this.#subscription = this.#dispatch(request, this.scene.exchange).subscribe({
      next: (event) => {
        hear(event);
        this.scene.hear(event);
      },
      complete: () => {
        hear(undefined);
        this.isOver = true;
        this.scene.end();
      },
    });
  }

  #leave(): void {
    this.#subscription?.unsubscribe();
    this.scene.end();
  }

  /** Nothing may be left behind when the clock becomes the real one again. */
  #giveUp(): void {
    this.#isWatched = false;
    this.#leave();
  }
}
