import { type Observable, Subject } from "rxjs";
import { ContainedObservable, type SubscriberWatch } from "../progress/index.ts";

/** Something a developer should know that is no failure of any request. */
export interface Diagnostic {
  readonly type:
    | "merged-progress"
    | "late-progress"
    | "subscriber-failed"
    | "late-result"
    | "handler-failed"
    | "check-failed"
    | "invalid-output"
    | "unserializable"
    | "slow-client"
    | "silent-round"
    | "changed-question"
    | "question-open"
    | "random-key"
    | "unverified-state"
    | "connection-failed";
  readonly message: string;
  /** The request it is about, if any. */
  readonly method?: string | undefined;
  /** Tool or prompt name, resource URI. */
  readonly handlerName?: string | undefined;
  /** What was thrown, with its stack: never sent to a client. */
  readonly cause?: unknown;
}

/** A server's diagnostics. What nobody subscribes to is `unheard`, for a carrier to print. */
export interface Diagnostics extends Observable<Diagnostic> {
  /** Diagnostics that had no subscriber. */
  readonly unheard: Observable<Diagnostic>;
  report(diagnostic: Diagnostic): void;
}

/** A failure in listening to failures has no one left to be told. */
const nowhere: SubscriberWatch = { subscriberFailed: () => undefined };

/** Diagnostics whose subscribers cannot hurt who reports. The type is free of the class, so that others may implement it. */
export const Diagnostics: new () => Diagnostics = class extends ContainedObservable<Diagnostic> implements Diagnostics {
  readonly #heard: Subject<Diagnostic>;
  readonly #unheard = new Subject<Diagnostic>();
  readonly unheard: Observable<Diagnostic> = new ContainedObservable(this.#unheard, nowhere);

  constructor() {
    const heard = new Subject<Diagnostic>();
    super(heard, nowhere);
    this.#heard = heard;
  }

  report(diagnostic: Diagnostic): void {
    (this.#heard.observed ? this.#heard : this.#unheard).next(diagnostic);
  }
};
