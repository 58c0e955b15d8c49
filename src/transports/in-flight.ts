import type { ProgressToken, RequestId } from "../events/index.ts";
import { type ErrorBody, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST } from "../wire/index.ts";
import { after } from "./timer.ts";

/** What is known of a request while it is in flight. */
interface Tracked {
  readonly token: ProgressToken | undefined;
}

interface Room {
  readonly closing: boolean;
  /** @default 1_000 */
  readonly maxInFlight?: number | undefined;
}

/** The requests of one connection that have not ended, by their ids and tokens. */
export class InFlight<Request extends Tracked> {
  readonly #requests = new Map<RequestId, Request>();
  readonly #byToken = new Map<ProgressToken, Request>();
  readonly #emptied = new Set<() => void>();

  get(id: RequestId): Request | undefined {
    return this.#requests.get(id);
  }

  withToken(token: ProgressToken): Request | undefined {
    return this.#byToken.get(token);
  }

  /** Why a request with this id cannot be taken, if so. */
  refuse(id: RequestId, { closing, maxInFlight = 1_000 }: Room): ErrorBody | undefined {
    if (this.#requests.has(id)) return idInUse;
    if (closing) return closingError;
    return this.#requests.size >= maxInFlight ? tooMany(maxInFlight) : undefined;
  }

  /** Why a request with this token cannot be taken, if so. */
  refuseToken(token: ProgressToken | undefined): ErrorBody | undefined {
    return token !== undefined && this.#byToken.has(token) ? tokenInUse : undefined;
  }

  /** All of them, to be left while they are gone through. */
  entries(): readonly (readonly [RequestId, Request])[] {
    return [...this.#requests];
  }

  add(id: RequestId, request: Request): void {
    this.#requests.set(id, request);
    if (request.token !== undefined) this.#byToken.set(request.token, request);
  }

  remove(id: RequestId, { token }: Tracked): void {
    this.#requests.delete(id);
    if (token !== undefined) this.#byToken.delete(token);
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

const idInUse: ErrorBody = { code: INVALID_REQUEST, message: "A request with this id is in flight on this connection" };
const tokenInUse: ErrorBody = {
  code: INVALID_PARAMS,
  message: "This progressToken is in use by a request in flight on this connection",
};
export const closingError: ErrorBody = { code: INTERNAL_ERROR, message: "The server is closing" };
const tooMany = (max: number): ErrorBody => ({
  code: INTERNAL_ERROR,
  message: `Too many requests in flight on this connection, at most ${max}`,
});
