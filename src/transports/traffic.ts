/** What each write adds to the wait, in milliseconds: about what it costs, in the system and to wake whoever reads. */
const costMs = 0.01;
const spanMs = 10;
const maxStretchMs = 8;

/**
 * How much is written lately. Each connection alone would write as often as it may; together they would then
 * do nothing else. It reads no clock: each step is told the time, in milliseconds.
 */
export class Traffic {
  #span = 0;
  #writes = 0;
  #before = 0;

  count(now: number): void {
    this.#advance(now);
    this.#writes += 1;
  }

  /** How much longer than usual an update may wait for others, in whole milliseconds: none for a few connections. */
  stretchMs(now: number): number {
    this.#advance(now);
    return Math.min(Math.floor((this.#before + this.#writes) * costMs), maxStretchMs);
  }

  #advance(now: number): void {
    const span = Math.floor(now / spanMs);
    if (span === this.#span) return;
    this.#before = span === this.#span + 1 ? this.#writes : 0;
    this.#writes = 0;
    this.#span = span;
  }
}

/** That of this process, whose time all its connections share. */
export const traffic = new Traffic();
