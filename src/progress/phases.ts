import { InvalidProgressError } from "../errors.ts";
import type { ProgressChannel } from "./channel.ts";
import { guardMessage, outOfRange } from "./guard.ts";

/** The channel of one phase: its fraction moves the sum that its parent is told. */
export class PhaseChannel implements ProgressChannel {
  readonly weight: number;
  readonly #parent: ProgressChannel;
  readonly #sum: PhaseSum;
  #fraction = 0;
  #done = false;

  constructor(parent: ProgressChannel, sum: PhaseSum, weight: number) {
    this.#parent = parent;
    this.#sum = sum;
    this.weight = weight;
  }

  get ended(): boolean {
    return this.#done || this.#parent.ended;
  }

  /** How much of this phase is done, in [0, 1]. Never falls. */
  get fraction(): number {
    return this.#fraction;
  }

  report(progress: number, total: number | undefined, message: string | undefined): boolean {
    this.#fraction = Math.max(this.#fraction, fractionOf(progress, total));
    return this.#sum.report(message);
  }

  done(message?: string | null): boolean {
    if (this.ended) {
      this.late();
      return false;
    }
    const text = guardMessage(message);
    this.#done = true;
    this.#fraction = 1;
    return this.#sum.report(text);
  }

  alive(): void {
    this.#parent.alive();
  }

  /** A report after `done()` is this phase's own affair; one after the request's end is a diagnostic. */
  late(): void {
    if (this.#parent.ended) this.#parent.late();
  }

  subscriberFailed(error: unknown): void {
    this.#parent.subscriberFailed(error);
  }
}

/** Σ wᵢ·fᵢ / Σ w over the phases in key order, reported against a total of 1. */
export class PhaseSum {
  readonly phases: ReadonlyMap<string, PhaseChannel>;
  readonly #parent: ProgressChannel;
  readonly #weight: number;
  #last: number | undefined;
  #held: string | undefined;

  constructor(parent: ProgressChannel, weights: Readonly<Record<string, number>>) {
    const entries = Object.entries(weights);
    if (entries.length === 0) throw new InvalidProgressError("Expected phases to be at least one, got none");
    for (const [key, weight] of entries) {
      if (!Number.isFinite(weight) || weight <= 0) {
        throw outOfRange(`the weight of phase ${JSON.stringify(key)}`, "finite and greater than 0", weight);
      }
    }
    this.#parent = parent;
    this.phases = new Map(entries.map(([key, weight]) => [key, new PhaseChannel(parent, this, weight)]));
    this.#weight = entries.reduce((sum, [, weight]) => sum + weight, 0);
    if (!Number.isFinite(this.#weight)) throw outOfRange("the sum of the weights", "finite", this.#weight);
  }

  /** Reports the sum if it moved; a message that came with a step too small to move it goes with the next. */
  report(message: string | undefined): boolean {
    const text = message ?? this.#held;
    const sum = this.#sum();
    if (this.#last !== undefined && sum <= this.#last) {
      this.#held = text;
      this.#parent.alive();
      return false;
    }
    this.#last = sum;
    this.#held = undefined;
    return this.#parent.report(sum, 1, text);
  }

  #sum(): number {
    let sum = 0;
    for (const phase of this.phases.values()) sum += phase.weight * phase.fraction;
    return sum / this.#weight;
  }
}

function fractionOf(progress: number, total: number | undefined): number {
  if (total === undefined) return 0;
  return total === 0 ? 1 : Math.min(1, Math.max(0, progress / total));
}
