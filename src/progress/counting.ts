import type { ProgressChannel } from "./channel.ts";
import { ProgressEmitter } from "./emitter.ts";
import { guardInteger, guardIntegerTotal } from "./guard.ts";

/** Counts 1, 2, 3, …: one step per call. */
export class CountingProgressEmitter extends ProgressEmitter {
  constructor(channel: ProgressChannel, total?: number | null) {
    super(channel, guardInteger, guardIntegerTotal(total));
  }

  /** Reports one more step; returns whether it was accepted for a listening client. */
  emit(message?: string | null): boolean {
    return this.push((this.last ?? 0) + 1, message);
  }
}
