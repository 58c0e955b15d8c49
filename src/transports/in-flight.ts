import type { ProgressToken, RequestId } from "../events/index.ts";
import type { OpenRequest } from "./open-request.ts";
import { after } from "./timer.ts";

/** The requests of one connection that have not ended, by their ids and tokens. */
export class InFlight {
  readonly #requests = new Map<RequestId, OpenRequest>();
  readonly #tokens = new Set<ProgressToken>();
  readonly #emptied = new Set<() => void>();

  get size(): number {
    return this.#requests.size;
  }

  get(id: RequestId): OpenRequest | undefined {
    return this.#requests.get(id);
  }

  hasToken(token: ProgressToken | undefined): boolean {
    return token !== undefined && this.#tokens.has(token);
  }

  /** All of them, to be left while they are gone through. */
  entries(): readonly (readonly [RequestId, OpenRequest])[] {
    return [...this.#requests];
  }

  add(id: RequestId, request: OpenRequest): void {
    this.#requests.set(id, request);
    if (request.token !== undefined) this.#tokens.add(request.token);
  }

  remove(id: RequestId, { token }: OpenRequest): void {
    this.#requests.delete(id);
    if (token !== undefined) this.#tokens.delete(token);
    if (this.#requests.size === 0) for (const emptied of this.#emptied) emptied();
  }

  /** Resolves when there are none, at the latest after `graceMs`. */
  emptyWithin(graceMs: number): Promise<void> {
    if (this.#requests.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const emptied = (): void => {
        stop();
        this.#emptied.delete(emptied);
        resolve();
      };
      const stop = after(graceMs, emptied);
      this.#emptied.add(emptied);
    });
  }
}
