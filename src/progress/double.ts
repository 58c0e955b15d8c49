import type { ProgressChannel } from "./channel.ts";
import { ProgressEmitter } from "./emitter.ts";
import { guardFinite, guardTotal } from "./guard.ts";

/** Reports floating point progress. */
export class DoubleProgressEmitter extends ProgressEmitter {
  constructor(channel: ProgressChannel, total?: number | null) {
    super(channel, guardFinite, guardTotal(total));
  }

  /**
   * Reports a value; returns whether it was accepted for a listening client.
   * @throws InvalidProgressError when it is not finite.
   * @throws NonIncreasingProgressError when it does not exceed the last one.
   */
  emit(progress: number, message?: string | null): boolean {
    return this.push(progress, message);
  }
}
