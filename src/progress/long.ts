import type { ProgressChannel } from "./channel.ts";
import { ProgressEmitter } from "./emitter.ts";
import { guardInteger, guardIntegerTotal } from "./guard.ts";

/** Reports progress in whole units: bytes, rows, files. */
export class LongProgressEmitter extends ProgressEmitter {
  constructor(channel: ProgressChannel, total?: number | null) {
    super(channel, guardInteger, guardIntegerTotal(total));
  }

  /**
   * Reports a value; returns whether it was accepted for a listening client.
   * @throws InvalidProgressError when it is not a safe integer.
   * @throws NonIncreasingProgressError when it does not exceed the last one.
   */
  emit(progress: number, message?: string | null): boolean {
    return this.push(progress, message);
  }
}
