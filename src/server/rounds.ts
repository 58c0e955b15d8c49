import { asyncScheduler, concatMap, defer, from, Observable } from "rxjs";
import { McpError, MissingCapabilityError, Unanswered } from "../errors.ts";
import { type ClientCapabilities, type TerminalEvent, unheld } from "../events/index.ts";
import {
  type Binding,
  type Ledger,
  madeUpKey,
  missingOf,
  newLedger,
  openState,
  Round,
  type RoundEnd,
  sealState,
} from "../mrtr/index.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, isObject, metaKeys } from "../wire/index.ts";
import type { Unwinder } from "./asking.ts";
import type { Call } from "./call.ts";
import type { Parts } from "./method.ts";
import type { StateSettings } from "./settings.ts";

/** How long a handler with a question open may take to unwind, in milliseconds. */
const unwindMs = 1_000;

/** One message for whatever is wrong with what a retry brings: a reason would help only who forges it. */
const refusal = "Invalid params: requestState or inputResponses";

/** The keys that were made up, and whose servers have been told. */
const told = new WeakSet<StateSettings>();

/** Whose handler asks. */
export interface Asker {
  readonly call: Call;
  /** Tool or prompt name, resource URI. */
  readonly target: string;
  /** What its handler was called with; absent where that is in the target. */
  readonly arguments?: unknown;
  readonly requires?: ClientCapabilities | undefined;
  readonly singleUse?: boolean | undefined;
  readonly parts: Parts;
}

/**
 * What a call carries from round to round. Costs nothing until the handler asks or the client comes back.
 * MCP 2026-07-28, basic/patterns/mrtr.
 */
export class Rounds {
  readonly #asker: Asker;
  #ledger: Ledger | undefined;
  #round: Round | undefined;
  #unwinder: Unwinder | undefined;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  get callId(): string {
    return this.#read().callId;
  }

  /** This run's questions and run-once blocks. */
  get round(): Round {
    this.#round ??= this.#start();
    return this.#round;
  }

  /** What the handler asks through. */
  get elicitor(): Round {
    return this.round;
  }

  /** Whether the handler asked or ran anything once; without it, its outcome is the round's. */
  get touched(): boolean {
    return this.#round !== undefined;
  }

  /**
   * Checks what the client can do and opens what it brought.
   * @throws MissingCapabilityError
   * @throws McpError when the state is not one of this call.
   */
  open(): void | Promise<void> {
    const { requires, call } = this.#asker;
    const { inputResponses = {}, requestState } = call.request.params;
    const missing = requires && missingOf(requires, call.exchange.client.capabilities);
    if (missing !== undefined) throw new MissingCapabilityError(missing, call.exchange.cannotAsk);
    if (!isObject(inputResponses)) throw new McpError(INVALID_PARAMS, refusal);
    if (requestState !== undefined) return this.#redeem(requestState);
  }

  /** Who is told when the round will not end as its handler does. */
  whenUnwinding(unwinder: Unwinder): void {
    this.#unwinder = unwinder;
  }

  /**
   * Fires when a handler that has to unwind has had its time: a moment after all that runs once has settled.
   * Nothing else can have been started since.
   */
  grace(): Observable<void> {
    const { scheduler = asyncScheduler } = this.#asker.parts.settings;
    const moment = new Observable<void>((subscriber) => unheld(scheduler.schedule(() => subscriber.next(), unwindMs)));
    return defer(() => from(this.round.quiet())).pipe(concatMap(() => moment));
  }

  /** How the round ends when it does not end as its handler did. */
  async end(): Promise<TerminalEvent | undefined> {
    const end = await this.round.end();
    switch (end.type) {
      case "settled":
        return undefined;
      case "misused":
        throw end.error;
      case "open":
        return this.#leaveOpen(end);
    }
  }

  /** The handler returned something although its question is open. */
  overruled(): void {
    this.#asker.call.report({
      type: "question-open",
      message:
        "A handler returned although its question is open; the question wins. `await` what asks, and do not catch what it throws",
    });
  }

  async #redeem(token: unknown): Promise<void> {
    const { call, singleUse } = this.#asker;
    const opened = await openState(token, this.#stateOptions());
    const isValid = opened !== undefined && (singleUse !== true || (await this.#claim(opened)));
    if (!isValid) throw new McpError(INVALID_PARAMS, refusal);
    this.#ledger = opened.ledger;
    call.line.resume(opened.ledger.mark);
  }

  /** A store that fails must not let a state pass, and its failure is no business of the client's. */
  async #claim({ nonce, expiresAt }: { readonly nonce: string; readonly expiresAt: number }): Promise<boolean> {
    const { call, parts } = this.#asker;
    try {
      return await parts.settings.state.nonces.claim(nonce, expiresAt);
    } catch (cause) {
      call.report({ type: "handler-failed", message: "The nonce store failed", cause });
      throw new McpError(INTERNAL_ERROR, "Internal error");
    }
  }

  /** The line closes first, so that the mark is the last value let through; then the handler is told. */
  async #leaveOpen({ inputRequests, ledger }: RoundEnd & { readonly type: "open" }): Promise<TerminalEvent> {
    const { call, parts } = this.#asker;
    call.line.seal();
    call.abort.abort(new Unanswered());
    this.#reportRandomKey(parts.settings.state);
    const requestState = await sealState({ ...ledger, mark: call.line.mark }, this.#stateOptions());
    return { type: "input-required", inputRequests, requestState, _meta: { [metaKeys.serverInfo]: parts.identity } };
  }

  #read(): Ledger {
    this.#ledger ??= newLedger();
    return this.#ledger;
  }

  #start(): Round {
    const { call } = this.#asker;
    const { exchange, line, request } = call;
    return new Round({
      capabilities: exchange.client.capabilities,
      cannotAsk: exchange.cannotAsk,
      ledger: this.#read(),
      responses: (request.params.inputResponses ?? {}) as Readonly<Record<string, unknown>>,
      over: () => (call.isOver ? (call.abort.reason ?? new Unanswered()) : undefined),
      publish: (event) => line.publish(event),
      report: (diagnostic) => call.report(diagnostic),
      onFresh: () => line.pastReplay(),
      onUnwind: () => this.#unwinder?.unwind(),
    });
  }

  #stateOptions() {
    const { target, arguments: args, call, parts } = this.#asker;
    const { request, exchange } = call;
    const binding: Binding = { method: request.method, target, arguments: args, principal: exchange.principal };
    return { ...parts.settings.state, binding };
  }

  #reportRandomKey(state: StateSettings): void {
    if (!state.hasRandomKey || told.has(state)) return;
    told.add(state);
    this.#asker.call.report(madeUpKey);
  }
}
