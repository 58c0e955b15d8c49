/** How fast older progress is forgotten, in milliseconds: what is so old counts for a third. */
const memoryMs = 5_000;

/**
 * What is no more than a few of the smallest steps that a number can take is a sign of life, as a pulse gives
 * it, and no progress.
 */
function isStill(from: number, to: number): boolean {
  return to - from <= Math.max(Math.abs(to) * 2 ** -50, 2 ** -900);
}

/**
 * The speed of one increasing series, in units per second: an average in which recent time weighs more.
 * Constant memory, whatever the number of values.
 */
export class Rate {
  #value: number | undefined;
  #since = 0;
  /** The weighted speed, and the weights that it is made of, which begin below 1. */
  #sum = 0;
  #weight = 0;

  /** Takes a value and when it arrived, in milliseconds. */
  add(value: number, nowMs: number): void {
    if (this.#value === undefined) return this.begin(value, nowMs);
    const passedMs = nowMs - this.#since;
    // What arrives in the same millisecond, or on a clock that was set back, counts with what follows.
    if (passedMs < 0) this.#since = nowMs;
    if (!(passedMs > 0)) return;
    const kept = Math.exp(-passedMs / memoryMs);
    const speed = isStill(this.#value, value) ? 0 : (value - this.#value) / passedMs;
    this.#sum = this.#sum * kept + speed * (1 - kept);
    this.#weight = this.#weight * kept + (1 - kept);
    this.begin(value, nowMs);
  }

  /** Goes on from a value without counting what led to it; what is known of the speed stays. */
  begin(value: number, nowMs: number): void {
    this.#value = value;
    this.#since = nowMs;
  }

  /** Absent until time has passed between two values, and while nothing moves. */
  get perSecond(): number | undefined {
    const rate = (1_000 * this.#sum) / this.#weight;
    return Number.isFinite(rate) && rate > 0 ? rate : undefined;
  }
}
