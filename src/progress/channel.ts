import type { SubscriberWatch } from "./contained.ts";

/** Where accepted values go: the request's line, or the phase that an emitter belongs to. */
export interface ProgressChannel extends SubscriberWatch {
  /** True once nothing can be reported any more: emitters then check nothing and return `false`. */
  readonly ended: boolean;
  /** Takes a guarded value; returns whether it was accepted for a listening client. Never throws. */
  report(progress: number, total: number | undefined, message: string | undefined): boolean;
  /** Told of a report that moved nothing: whoever made it is at work. */
  alive(): void;
  /** Told of a report that came after the end. */
  late(): void;
}
