/**
 * One progress report, as it goes out in `notifications/progress`.
 * An unknown total and an absent message are left out, never `null` or `undefined`.
 */
export interface ProgressUpdate {
  /** How much is done, in the unit of its emitter. Finite. */
  readonly progress: number;
  /** How much there is in all, in the same unit. */
  readonly total?: number;
  /** What is happening now, for people. */
  readonly message?: string;
}

/** Builds an update without the keys that have no value. */
export function createUpdate(progress: number, total?: number, message?: string): ProgressUpdate {
  if (message === undefined) return total === undefined ? { progress } : { progress, total };
  return total === undefined ? { progress, message } : { progress, total, message };
}
