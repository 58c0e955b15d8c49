import type { ProgressChannel } from "./channel.ts";
import { CountingProgressEmitter } from "./counting.ts";
import { DoubleProgressEmitter } from "./double.ts";
import { guardFinite, guardMessage, guardTotal } from "./guard.ts";
import { LongProgressEmitter } from "./long.ts";
import { PercentageCompleteProgressEmitter } from "./percent.ts";
import { PhaseSum } from "./phases.ts";
import { track } from "./track.ts";

/**
 * What a handler reports progress through. A `total` of `null` or `undefined` is unknown and is left out
 * on the wire. All emitters of a request share its one line: a value that does not exceed what the
 * request has already reported is merged, and its `emit` returns `false`.
 */
export interface McpProgressSource {
  /** Floating point values in any unit. */
  doubleProgress(total?: number | null): DoubleProgressEmitter;
  /** Safe integers: bytes, rows, files. */
  longProgress(total?: number | null): LongProgressEmitter;
  /** 1, 2, 3, … */
  countingProgress(total?: number | null): CountingProgressEmitter;
  /** A fraction in [0, 1]; the total on the wire is 1. */
  percentProgress(): PercentageCompleteProgressEmitter;
  /**
   * Reports one value, with a total per call; returns whether it was accepted for a listening client.
   * Never throws for order.
   * @throws InvalidProgressError when `progress` or `total` is out of range.
   */
  progress(progress: number, total?: number | null, message?: string | null): boolean;
  /**
   * One bar over several pieces of work, weighted; phases nest and may run in parallel.
   * The request reports Σ wᵢ·fᵢ / Σ w against a total of 1.
   * @throws InvalidProgressError when a weight is not finite or not greater than 0.
   */
  phases<K extends string>(weights: Readonly<Record<K, number>>): Record<K, ProgressPhase>;
  /**
   * Yields the items and counts them as they are done: item n is reported when the next one is requested
   * or the end is reached. The total is known for arrays, sets and maps.
   */
  track<T>(
    items: Iterable<T> | AsyncIterable<T>,
    message?: (item: Awaited<T>, index: number) => string,
  ): AsyncIterable<Awaited<T>>;
}

/** One piece of work of `phases()`, with everything a request has to report through. */
export interface ProgressPhase extends McpProgressSource {
  /** Completes this phase, whatever it reported; after that its emitters return `false`. */
  done(message?: string | null): boolean;
}

/** The source that reports into a channel. */
export class ProgressSource implements McpProgressSource {
  readonly #channel: ProgressChannel;

  constructor(channel: ProgressChannel) {
    this.#channel = channel;
  }

  doubleProgress(total?: number | null): DoubleProgressEmitter {
    return new DoubleProgressEmitter(this.#channel, total);
  }

  longProgress(total?: number | null): LongProgressEmitter {
    return new LongProgressEmitter(this.#channel, total);
  }

  countingProgress(total?: number | null): CountingProgressEmitter {
    return new CountingProgressEmitter(this.#channel, total);
  }

  percentProgress(): PercentageCompleteProgressEmitter {
    return new PercentageCompleteProgressEmitter(this.#channel);
  }

  progress(progress: number, total?: number | null, message?: string | null): boolean {
    const channel = this.#channel;
    if (channel.ended) {
      channel.late();
      return false;
    }
    guardFinite(progress);
    return channel.report(progress, guardTotal(total), guardMessage(message));
  }

  phases<K extends string>(weights: Readonly<Record<K, number>>): Record<K, ProgressPhase> {
    const { phases } = new PhaseSum(this.#channel, weights);
    const entries = [...phases].map(([key, channel]) => [key, new Phase(channel)]);
    return Object.fromEntries(entries);
  }

  track<T>(
    items: Iterable<T> | AsyncIterable<T>,
    message?: (item: Awaited<T>, index: number) => string,
  ): AsyncIterable<Awaited<T>> {
    return track(this.#channel, items, message);
  }
}

class Phase extends ProgressSource implements ProgressPhase {
  readonly #phase: { done(message?: string | null): boolean };

  constructor(channel: ProgressChannel & { done(message?: string | null): boolean }) {
    super(channel);
    this.#phase = channel;
  }

  done(message?: string | null): boolean {
    return this.#phase.done(message);
  }
}
