export interface BucketOptions {
  /** How many tokens it holds; it begins full. */
  readonly burst: number;
  /** How long it takes to earn one, in milliseconds. */
  readonly intervalMs: number;
}

/** A token bucket. It reads no clock: each step is told the time, in milliseconds. */
export class Bucket {
  readonly #burst: number;
  readonly #intervalMs: number;
  #tokens: number;
  #refilledAt: number;

  constructor({ burst, intervalMs }: BucketOptions, now: number) {
    this.#burst = burst;
    this.#intervalMs = intervalMs;
    this.#tokens = burst;
    this.#refilledAt = now;
  }

  /** When the next token will have been earned. */
  get nextAt(): number {
    return this.#refilledAt + this.#intervalMs;
  }

  /** Takes a token if there is one. */
  take(now: number): boolean {
    this.#refill(now);
    if (this.#tokens === 0) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes the token that a timer was set for: one that is early by a hair earns it, too. */
  takeDue(now: number): void {
    if (!this.take(now)) this.#refilledAt = now;
  }

  #refill(now: number): void {
    // A full bucket earns nothing, and a clock that was set back must not silence the request.
    if (this.#tokens >= this.#burst || now < this.#refilledAt) this.#refilledAt = now;
    const earned = Math.floor((now - this.#refilledAt) / this.#intervalMs);
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#refilledAt += earned * this.#intervalMs;
  }
}
