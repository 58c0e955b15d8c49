import { Disconnected, McpError } from "../errors.ts";
import type { ElicitationEvent, RequestId } from "../events/index.ts";
import { createPrinter, type Decoded, type Framing, printNotification, printRequest } from "../wire/index.ts";
import type { Lane } from "./lane.ts";

type Response = Extract<Decoded, { type: "response" }>;
type Answer = NonNullable<ElicitationEvent["answer"]>;

/** The questions that one client has open: on its connection, or in its session. */
export class Questions {
  readonly #open = new Map<RequestId, Answer>();
  #last = 0;

  /** Gives out an id of this server's own: a text that no client counts its requests by. */
  open(answer: Answer): RequestId {
    this.#last += 1;
    const id = `question-${this.#last}`;
    this.#open.set(id, answer);
    return id;
  }

  /** Takes a response; one to no open question is ignored. */
  receive({ id, result, error }: Response): void {
    this.settle(id, error === undefined ? result : new McpError(error.code, error.message, error.data));
  }

  settle(id: RequestId, response: unknown): void {
    const answer = this.#open.get(id);
    this.#open.delete(id);
    answer?.(response);
  }
}

/** Where the questions of one request go, and where the request itself says what it says. */
export interface Voice {
  readonly questions: Questions;
  readonly framing: Framing;
  readonly lane: Lane;
}

/** The questions that one request has open. MCP 2025-11-25, client/elicitation. */
export class Asking {
  readonly #voice: Voice;
  readonly #open = new Set<RequestId>();
  /** A request that is cancelled takes back what it said and was not written, but not that it asked. */
  #own: Lane | undefined;

  constructor(voice: Voice) {
    this.#voice = voice;
  }

  ask({ request, answer }: ElicitationEvent): void {
    if (answer === undefined) return;
    const { questions, framing } = this.#voice;
    const id = questions.open((response) => {
      this.#open.delete(id);
      answer(response);
    });
    this.#open.add(id);
    let frame: string;
    try {
      frame = printRequest(id, request.method, request.params ?? {}, framing);
    } catch (cause) {
      return questions.settle(id, cause instanceof Error ? cause : new TypeError("The question has no JSON form"));
    }
    this.#say(frame);
  }

  /** The request is over: the client is told, and who still waits for an answer gets the error. */
  withdraw(reason: Error): void {
    const { framing } = this.#voice;
    const params = { reason: "The request that asked is over" };
    for (const requestId of this.#open) {
      this.#say(printNotification("notifications/cancelled", { requestId, ...params }, framing));
    }
    this.fail(reason);
  }

  /** There is nobody to be told: who waits for an answer gets the error. */
  fail(reason: Error = new Disconnected()): void {
    for (const id of [...this.#open]) this.#voice.questions.settle(id, reason);
  }

  #say(frame: string): void {
    const { lane, framing } = this.#voice;
    const { pump } = lane;
    this.#own ??= pump.lane(createPrinter({ id: 0, progressToken: undefined, framing }));
    // What the request said before comes first, an update that waits for room included.
    pump.push(lane, "");
    pump.push(this.#own, frame);
  }
}
