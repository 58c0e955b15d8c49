import type { ProgressState } from "../client/index.ts";
import { type Cells, cellsOf } from "./cells.ts";
import type { Outcome } from "./outcome.ts";
import { plainText } from "./text.ts";

/** A call that is shown: its name, and the last that is known of it. Times are in milliseconds. */
export class Row {
  readonly name: string;
  readonly openedAt: number;
  #state: ProgressState = { state: "waiting" };
  #changedAt: number;
  #outcome: Outcome | undefined;

  constructor(name: string, nowMs: number) {
    this.name = plainText(name);
    this.openedAt = nowMs;
    this.#changedAt = nowMs;
  }

  /** Over, though not yet closed. */
  get isEnded(): boolean {
    return this.#state.state === "ended";
  }

  /** How it ended, as far as anybody has said. */
  get outcome(): Outcome {
    return this.#outcome ?? "ended";
  }

  /** What is said of the end first, counts. */
  end(outcome: Outcome | undefined): void {
    this.#outcome ??= outcome;
  }

  change(state: ProgressState, nowMs: number): void {
    this.#state = state;
    this.#changedAt = nowMs;
  }

  /** Its question has been answered: it goes on, though it may say nothing for a while. */
  answer(nowMs: number): void {
    const { state, progress } = this.#state;
    if (state !== "asking") return;
    this.change({ ...this.#state, state: progress === undefined ? "waiting" : "running" }, nowMs);
  }

  /** What there is to say of it. The time left runs on between two updates. */
  cells(nowMs: number): Cells {
    const { etaMs, ...state } = this.#state;
    return cellsOf(etaMs === undefined ? state : { ...state, etaMs: etaMs - (nowMs - this.#changedAt) });
  }
}
