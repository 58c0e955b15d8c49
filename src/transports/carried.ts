import type { Subscription } from "rxjs";
import type { RequestEvent, Servable } from "../events/index.ts";
import type { Decoded } from "../wire/index.ts";
import type { Terms } from "./era.ts";

/** A request, and what its carrier knows of it. */
export interface Cargo {
  readonly request: Extract<Decoded, { type: "request" }>;
  readonly terms: Terms;
  readonly principal: unknown;
  /** Aborted when the carrier begins to close. */
  readonly closing: AbortSignal;
  /** Whether something can be sent before the result. */
  readonly deliversProgress: boolean;
}

/** One request on its way through the core. */
export abstract class Carried {
  #subscription: Subscription | undefined;
  #left: Error | undefined;

  /** Takes the next event of the request. */
  abstract next(event: RequestEvent): void;

  /** Resolves when there is room for more. */
  abstract drained(): Promise<void>;

  /** A request header by its case-insensitive name. */
  header(_name: string): string | undefined {
    return undefined;
  }

  /** Starts its handler. */
  protected dispatch(server: Servable, { request, terms, principal, closing, deliversProgress }: Cargo): void {
    const { id, method, params } = request;
    const { era, protocolVersion, client, progressToken } = terms;
    const subscription = server
      .dispatch(
        // A bound method is half of what a function and its context are, and there is one of each per request.
        { id, method, params, progressToken, closing, whyLeft: this.#whyLeft.bind(this) },
        {
          era,
          protocolVersion,
          client,
          principal,
          header: this.header.bind(this),
          deliversProgress,
          drained: this.drained.bind(this),
        },
      )
      .subscribe(this);
    // It may have been left while its handler was still being started.
    if (this.#left === undefined) this.#subscription = subscription;
    else subscription.unsubscribe();
  }

  #whyLeft(): Error | undefined {
    return this.#left;
  }

  /** Aborts its handler, which is told the reason. */
  protected abandon(reason: Error): void {
    this.#left = reason;
    this.#subscription?.unsubscribe();
  }
}
