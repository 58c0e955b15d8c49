import { type Observable, Subject } from "rxjs";
import { MissingCapabilityError } from "../errors.ts";
import type { TerminalEvent } from "../events/index.ts";
import { capabilitiesIn, type McpElicitor, missingOf, Push } from "../mrtr/index.ts";
import type { Asker } from "./rounds.ts";

/**
 * Questions that go out while the handler waits, over a connection that lives as long as the call. Costs
 * nothing until the handler asks. MCP 2025-11-25, client/elicitation.
 */
export class Pushed {
  readonly #asker: Pick<Asker, "call" | "requires">;
  readonly #waiting = new Subject<boolean>();
  /** Whether a question is open. */
  readonly waiting: Observable<boolean> = this.#waiting;
  #callId: string | undefined;
  #push: Push | undefined;

  constructor(asker: Pick<Asker, "call" | "requires">) {
    this.#asker = asker;
  }

  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }

  get elicitor(): McpElicitor {
    this.#push ??= this.#start();
    return this.#push;
  }

  get touched(): boolean {
    return this.#push !== undefined;
  }

  /** @throws MissingCapabilityError */
  open(): void {
    const { call, requires } = this.#asker;
    const { client, protocolVersion } = call.exchange;
    const missing = requires && missingOf(requires, capabilitiesIn(protocolVersion, client.capabilities));
    if (missing !== undefined) throw new MissingCapabilityError(missing);
  }

  /** Never: what is asked here is answered here. */
  whenUnwinding(): void {}

  grace(): Observable<void> {
    return new Subject();
  }

  async end(): Promise<TerminalEvent | undefined> {
    if (this.#push?.misuse !== undefined) throw this.#push.misuse;
    if (this.#push?.isWaiting === true) {
      this.#asker.call.report({
        type: "question-open",
        message: "A handler ended although its question is open; the question is withdrawn. Await `elicit`",
      });
    }
    return undefined;
  }

  overruled(): void {}

  #start(): Push {
    const { call } = this.#asker;
    const { exchange, line, abort } = call;
    return new Push({
      protocolVersion: exchange.protocolVersion,
      capabilities: exchange.client.capabilities,
      over: () =>
        call.isOver ? (abort.reason ?? new Error("The call ended before its question was answered")) : undefined,
      ended: call.over,
      publish: (event) => line.publish(event),
      onWaiting: (isWaiting) => this.#waiting.next(isWaiting),
    });
  }
}
