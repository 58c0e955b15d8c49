import type { ProgressChannel } from "./channel.ts";
import { ProgressEmitter } from "./emitter.ts";
import { guardFraction } from "./guard.ts";

/** Reports the fraction that is complete, against a total of 1. */
export class PercentageCompleteProgressEmitter extends ProgressEmitter {
  constructor(channel: ProgressChannel) {
    super(channel, guardFraction, 1);
  }

  /**
   * Reports a fraction in [0, 1]; returns whether it was accepted for a listening client.
   * @throws InvalidProgressError when it is outside [0, 1].
   * @throws NonIncreasingProgressError when it does not exceed the last one.
   */
  complete(fraction: number, message?: string | null): boolean {
    return this.push(fraction, message);
  }

  /** The same as `complete`. */
  emit(fraction: number, message?: string | null): boolean {
    return this.push(fraction, message);
  }
}
