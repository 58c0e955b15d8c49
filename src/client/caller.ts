import { catchError, defer, ignoreElements, type Observable, takeUntil, throwError, timer } from "rxjs";
import type { ClientCapabilities } from "../events/index.ts";
import { latestVersion } from "../wire/index.ts";
import type { StreamOptions } from "./client.ts";
import type { ConnectOptions } from "./connect.ts";
import type { Connection, Params } from "./connection.ts";
import type { CallEvent } from "./event.ts";
import { hinted } from "./hint.ts";
import { checkPacing, defaultPacing, type Pacing } from "./pacing.ts";
import { type Answering, answer } from "./question.ts";
import { joinRounds } from "./rounds.ts";
import { bounded, checkTimeouts, needsProgress } from "./timeout.ts";

export interface CallSettings extends StreamOptions {
  /** Asks the server for progress. */
  readonly listening: boolean;
}

/** A client's settings put to use: single requests, and calls of as many rounds as they take. */
export class Caller {
  readonly #connection: Connection;
  readonly #options: ConnectOptions;
  readonly #pacing: Pacing;
  readonly #maxRounds: number;

  /** @throws RangeError for an option that makes no sense. */
  constructor(connection: Connection, options: ConnectOptions) {
    const { pacing = defaultPacing, maxRounds = 100, maxInFlight = 1_000 } = options;
    checkPacing(pacing);
    checkLeast("maxRounds", maxRounds);
    checkLeast("maxInFlight", maxInFlight);
    this.#connection = connection;
    this.#options = options;
    this.#pacing = pacing;
    this.#maxRounds = maxRounds;
  }

  /** One request, sent on subscription. */
  request(method: string, params: Params, settings: CallSettings): Observable<CallEvent> {
    return this.#within(settings, (limited) => this.#send(method, params, limited));
  }

  /** All rounds of one call; the first is sent on subscription. */
  call(method: string, params: Params, settings: CallSettings): Observable<CallEvent> {
    return this.#within(settings, (limited) => this.#join(method, params, limited));
  }

  #within(settings: CallSettings, run: (settings: CallSettings) => Observable<CallEvent>): Observable<CallEvent> {
    return defer(() => {
      checkTimeouts(settings);
      const { signal, maxTotalTimeoutMs } = settings;
      const limited = (within?: AbortSignal) => run({ ...settings, signal: within });
      return bounded(limited, signal, maxTotalTimeoutMs, this.#options.scheduler);
    });
  }

  #send(method: string, params: Params, settings: CallSettings): Observable<CallEvent> {
    const { clientInfo = defaultClientInfo, capabilities } = this.#options;
    const answering = this.#answering(settings);
    const envelope = {
      protocolVersion: latestVersion,
      clientInfo,
      capabilities: declared(capabilities, answering),
    };
    const sent = this.#connection.call(method, params, {
      ...settings,
      envelope,
      listening: settings.listening || needsProgress(settings),
    });
    if (answering.onElicit !== undefined) return sent;
    return sent.pipe(catchError((error: unknown) => throwError(() => hinted(error))));
  }

  #join(method: string, params: Params, settings: CallSettings): Observable<CallEvent> {
    const gone = this.#connection.gone(settings.signal);
    const answering = this.#answering(settings);
    return joinRounds(params, {
      send: (round) => this.#send(method, round, settings),
      answer: (question, key) => answer(question, key, answering, gone),
      pause: (delayMs) => timer(delayMs, this.#options.scheduler).pipe(ignoreElements(), takeUntil(gone)),
      pacing: this.#pacing,
      maxRounds: this.#maxRounds,
    });
  }

  /** The hooks of a call stand in for the client's. */
  #answering({ onElicit, onInput }: Answering): Answering {
    return { onElicit: onElicit ?? this.#options.onElicit, onInput: onInput ?? this.#options.onInput };
  }
}

function checkLeast(name: string, value: number): void {
  if (!(value >= 1)) throw new RangeError(`Expected \`${name}\` to be at least 1, got ${value}`);
}

const defaultClientInfo = { name: "mcp-headway", version: "0.1.0" };

/** Capabilities are of a request, not of a connection: a call that can answer says so. */
function declared(capabilities: ClientCapabilities | undefined, { onElicit }: Answering): ClientCapabilities {
  return onElicit === undefined ? { ...capabilities } : { elicitation: { form: {}, url: {} }, ...capabilities };
}
