import type { Subject } from "rxjs";
import type { ErrorEvent, Exchange, Implementation, IncomingRequest } from "../events/index.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Limits } from "./limits.ts";
import type { Registry } from "./registry.ts";
import type { Settings } from "./settings.ts";

/** What a request turned out to ask for. */
export interface Plan {
  readonly handlerName?: string | undefined;
  /** @default the server's */
  readonly limits?: Limits;
  /** Begins; the call is over when it has been ended. */
  start(call: Call): void;
}

/**
 * One method of the protocol: from a request to what is to be done.
 * @throws McpError when the request cannot be served.
 */
export type Method = (request: IncomingRequest, exchange: Exchange) => Plan;

/** How what is common to all methods looks in one era. */
export interface Shapes {
  readonly answer: Answer;
  /** A failure of a request for this method. */
  readonly refuse: (error: unknown, method: string) => ErrorEvent;
  /** A tool as `tools/list` shows it. */
  readonly listTool: (listing: Listing) => Listing;
}

type Listing = Readonly<Record<string, unknown>>;

/** What the methods of one server share, in one era. */
export interface Parts extends Shapes {
  readonly registry: Registry;
  readonly settings: Settings;
  /** The server's identity, as every result carries it. */
  readonly identity: Implementation;
  /** URIs of resources that changed. */
  readonly updates: Subject<string>;
  /** Fires when the server begins to close. */
  readonly closing: Subject<void>;
}
