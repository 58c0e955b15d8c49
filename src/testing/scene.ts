import { TestScheduler } from "rxjs/testing";
import type { ClientCapabilities, Exchange, Implementation, RequestEvent } from "../events/index.ts";
import { latestVersion, legacyVersions, supportedVersions } from "../wire/index.ts";
import { Room } from "./room.ts";

/** The other end of a call in virtual time, in diagrams of one millisecond a sign. */
export interface MarbleClient {
  /** When it subscribes and when it leaves: `"--^---!"`. @default it subscribes at once and stays */
  readonly subscription?: string | undefined;
  /** Why it leaves: what the handler's signal is aborted with. @default a `Cancelled` */
  readonly reason?: Error | undefined;
  /**
   * When its carrier has room. Each letter is room for those who wait in `drained()`, or for who comes next.
   * @default it always has
   */
  readonly room?: string | undefined;
  /** When it answers a pushed question: each letter answers the oldest open one. Clients of 2025 only. */
  readonly answers?: string | undefined;
  /** What the letters of `answers` stand for; an `Error` is a failure to answer. @default declined */
  readonly answerValues?: Readonly<Record<string, unknown>> | undefined;
  /** One of 2025 makes it a client that is asked in the middle of a call. @default "2026-07-28" */
  readonly protocolVersion?: string | undefined;
  readonly clientInfo?: Implementation | undefined;
  readonly capabilities?: ClientCapabilities | undefined;
  /** What handlers see as `ctx.principal`. */
  readonly principal?: unknown;
  /** Whether its carrier can send something before the result. @default true */
  readonly deliversProgress?: boolean | undefined;
}

type Answer = (response: unknown) => void;

/** A client that acts out its diagrams. */
export class Scene {
  readonly exchange: Exchange;
  readonly subscribedAt: number;
  /** Infinity when it stays. */
  readonly leavesAt: number;
  /** Answers that met no question. */
  readonly idleAnswers: number[] = [];
  readonly #room: Room;
  readonly #questions: Answer[] = [];

  /** @throws TypeError for a version that nobody speaks, Error for a diagram that cannot be read. */
  constructor(scheduler: TestScheduler, client: MarbleClient) {
    const { subscription = "^", room, answers = "", answerValues = {} } = client;
    const { subscribedFrame, unsubscribedFrame } = TestScheduler.parseMarblesAsSubscriptions(subscription, true);
    this.subscribedAt = subscribedFrame === Infinity ? 0 : subscribedFrame;
    this.leavesAt = unsubscribedFrame;
    this.#room = new Room(room === undefined);
    this.exchange = exchangeOf(client, this.#room);
    for (const { frame } of lettersOf(room ?? "")) scheduler.schedule(this.#room.open, frame);
    for (const { frame, letter } of lettersOf(answers)) {
      const response = letter in answerValues ? answerValues[letter] : { action: "decline" };
      scheduler.schedule(() => this.#answer(frame, response), frame);
    }
  }

  hear(event: RequestEvent): void {
    if (event.type === "elicitation" && event.answer !== undefined) this.#questions.push(event.answer);
  }

  /** The call is over. */
  end(): void {
    this.#room.end();
  }

  #answer(frame: number, response: unknown): void {
    const answer = this.#questions.shift();
    if (answer === undefined) this.idleAnswers.push(frame);
    answer?.(response);
  }
}

function exchangeOf(client: MarbleClient, room: Room): Exchange {
  const { protocolVersion = latestVersion, clientInfo, capabilities = {}, principal, deliversProgress = true } = client;
  const isLegacy = legacyVersions.some((version) => version === protocolVersion);
  if (!isLegacy && !supportedVersions.some((version) => version === protocolVersion)) {
    const known = [...supportedVersions, ...legacyVersions].join(", ");
    throw new TypeError(`Expected \`protocolVersion\` to be one of ${known}, got ${protocolVersion}`);
  }
  return {
    era: isLegacy ? "legacy" : "modern",
    protocolVersion,
    client: { info: clientInfo, capabilities },
    principal,
    header: () => undefined,
    deliversProgress,
    drained: () => room.drained(),
  };
}

/** A letter of a diagram, or one of the signs `|` and `#`. */
export interface Letter {
  readonly frame: number;
  readonly letter: string;
}

/** Reads a diagram as RxJS does. */
export function lettersOf(diagram: string): readonly Letter[] {
  return TestScheduler.parseMarbles(diagram, undefined, undefined, false, true).map(({ frame, notification }) => ({
    frame,
    letter: notification.kind === "N" ? String(notification.value) : notification.kind === "C" ? "|" : "#",
  }));
}
