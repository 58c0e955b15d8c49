import { Subject } from "rxjs";
import { McpError } from "../errors.ts";
import {
  type Cadence,
  type Diagnostic,
  Diagnostics,
  type Dispatch,
  type Exchange,
  type Implementation,
  type IncomingRequest,
  requestStream,
  type Servable,
  type StreamOptions,
} from "../events/index.ts";
import { type Icon, METHOD_NOT_FOUND } from "../wire/index.ts";
import { Call } from "./call.ts";
import { checkText, present } from "./check.ts";
import { Inflight } from "./inflight.ts";
import type { Plan } from "./method.ts";
import { createTables, type Table } from "./methods.ts";
import { type Definitions, Registry } from "./registry.ts";
import { readOptions, type ServerOptions, type Settings } from "./settings.ts";

/** Who a server is and what it offers. */
export interface ServerDefinition extends Implementation, Definitions {
  readonly icons?: readonly Icon[] | undefined;
  /** How to use this server, for the model. */
  readonly instructions?: string | undefined;
}

/** A server: hand it to a carrier, such as `serveHttp` or `serveStdio`. */
export interface McpServer extends Servable {
  readonly announce: {
    /** Tells the clients that subscribed to this resource that it changed. */
    resourceUpdated(uri: string): void;
  };
  /**
   * Refuses new requests, ends subscriptions, and aborts what still runs after `closeGraceMs`. Resolves when
   * all requests have ended.
   */
  close(): Promise<void>;
}

/**
 * Creates a server.
 * @throws when an option makes no sense, or a name or URI is used twice.
 */
export function createMcpServer(definition: ServerDefinition, options: ServerOptions = {}): McpServer {
  const { name, version, title, description, websiteUrl, icons, instructions } = definition;
  checkText("name", name);
  checkText("version", version);
  const settings = readOptions(options);
  const inflight = new Inflight();
  const updates = new Subject<string>();
  const identity = present({ name, version, title, description, websiteUrl, icons });
  const tableOf = createTables(
    { registry: new Registry(definition), settings, identity, updates, closing: inflight.closing },
    instructions,
  );
  const diagnostics = new Diagnostics();
  return Object.freeze<McpServer>({
    dispatch: createDispatch(tableOf, { settings, inflight, diagnostics }),
    diagnostics,
    announce: { resourceUpdated: (uri) => updates.next(uri) },
    close: () => inflight.close(settings.closeGraceMs, settings.scheduler),
  });
}

interface Shared {
  readonly settings: Settings;
  readonly inflight: Inflight;
  readonly diagnostics: Diagnostics;
}

function createDispatch(tableOf: (exchange: Exchange) => Table, { settings, inflight, diagnostics }: Shared): Dispatch {
  return (request, exchange) => {
    const plan = planOf(tableOf(exchange), request, exchange);
    const listening = request.progressToken !== undefined && exchange.deliversProgress;
    const planned = new Planned(plan, { method: request.method, listening, settings, diagnostics });
    return requestStream(planned, (line) => {
      const call = new Call({ request, exchange, line, reporter: planned, onOver: inflight.release });
      line.whenLeft(call);
      inflight.start(call, plan);
    });
  };
}

interface Circumstances {
  readonly method: string;
  readonly listening: boolean;
  readonly settings: Settings;
  readonly diagnostics: Diagnostics;
}

/** What the stream of a request is told. It has no function of its own per request. */
class Planned implements StreamOptions {
  readonly listening: boolean;
  readonly cadence: Cadence;
  readonly scheduler: StreamOptions["scheduler"];
  readonly #diagnostics: Diagnostics;
  readonly #method: string;
  readonly #handlerName: string | undefined;

  constructor({ handlerName, limits }: Plan, { method, listening, settings, diagnostics }: Circumstances) {
    this.listening = listening;
    this.cadence = limits?.cadence ?? settings.cadence;
    this.scheduler = settings.scheduler;
    this.#diagnostics = diagnostics;
    this.#method = method;
    this.#handlerName = handlerName;
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.report({ ...diagnostic, method: this.#method, handlerName: this.#handlerName });
  }
}

function planOf({ methods, refuse }: Table, request: IncomingRequest, exchange: Exchange): Plan {
  try {
    const method = methods.get(request.method);
    if (method === undefined) throw new McpError(METHOD_NOT_FOUND, `Method not found: ${request.method}`);
    return method(request, exchange);
  } catch (error) {
    const event = refuse(error, request.method);
    return { start: (call) => call.end(event) };
  }
}
