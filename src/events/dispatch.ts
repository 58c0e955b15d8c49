import type { Observable } from "rxjs";
import type { Diagnostics } from "./diagnostics.ts";
import type { RequestEvent } from "./event.ts";
import type { ClientCapabilities, Implementation, ProgressToken, RequestId } from "./model.ts";

/** A request whose shape, envelope, headers and version the carrier has checked. */
export interface IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The request's `params`, `_meta` included; `{}` when it had none. */
  readonly params: Readonly<Record<string, unknown>>;
  /** From `_meta.progressToken`; absent when the client did not ask for progress. `0` and `""` are tokens. */
  readonly progressToken?: ProgressToken | undefined;
  /** Aborted when the carrier begins to close: a subscription then ends with its result. */
  readonly closing?: AbortSignal | undefined;
  /** Asked when the subscriber leaves before the end: why it left. @default a `Cancelled` */
  readonly whyLeft?: (() => Error | undefined) | undefined;
}

/** What a carrier knows about one request. */
export interface Exchange {
  readonly era: "modern" | "legacy";
  readonly protocolVersion: string;
  readonly client: { readonly info?: Implementation | undefined; readonly capabilities: ClientCapabilities };
  /** Why a client that could answer cannot be asked: what the error says in place of a capability that it lacks. Modern era only. */
  readonly cannotAsk?: string | undefined;
  /** What `authenticate` returned; `undefined` without it. */
  readonly principal: unknown;
  /** A request header by its case-insensitive name; always `undefined` off HTTP. */
  readonly header: (name: string) => string | undefined;
  /** Whether the carrier can send something before the result. */
  readonly deliversProgress: boolean;
  /** Resolves when the carrier has room for more; at once when it is not behind, at the latest at the end. */
  drained(): Promise<void>;
}

/**
 * The one port: where carriers, the in-process client, the testing kit and the SDK mount meet the core.
 * Subscribing starts the handler, so subscribing twice runs it twice; unsubscribing aborts its signal.
 * The observable completes right after its one terminal event and never errors.
 */
export type Dispatch = (request: IncomingRequest, exchange: Exchange) => Observable<RequestEvent>;

/** What a carrier needs of a server. */
export interface Servable {
  readonly dispatch: Dispatch;
  readonly diagnostics: Diagnostics;
}
