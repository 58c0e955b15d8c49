import type { Subject } from "rxjs";
import type { Exchange, Implementation, IncomingRequest } from "../events/index.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Limits } from "./check.ts";
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

/** What the methods of one server share. */
export interface Parts {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly answer: Answer;
  /** The server's identity, as every result carries it. */
  readonly identity: Implementation;
  /** URIs of resources that changed. */
  readonly updates: Subject<string>;
  /** Fires when the server begins to close. */
  readonly closing: Subject<void>;
}
