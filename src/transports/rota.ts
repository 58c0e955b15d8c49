import { after } from "./timer.ts";

/**
 * Tells each of its members once that `ms` have passed since it was put in. All wait equally long, so the first to
 * come is the first to go, and one timer does for thousands. Never holds the process.
 */
export class Rota<Member> {
  readonly #ms: number;
  readonly #onDue: (member: Member) => void;
  /** When each is due, in whole milliseconds of `performance.now()`: a fraction would be an object. */
  readonly #dueAt = new Map<Member, number>();
  #stopTimer: (() => void) | undefined;

  constructor(ms: number, onDue: (member: Member) => void) {
    this.#ms = ms;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#dueAt.size;
  }

  /** Who is due next. */
  get first(): Member | undefined {
    const [first] = this.#dueAt.keys();
    return first;
  }

  /** Puts a member in, or to the end again. */
  add(member: Member): void {
    this.#dueAt.delete(member);
    this.#dueAt.set(member, Math.ceil(performance.now() + this.#ms));
    if (this.#stopTimer === undefined) this.#watch();
  }

  delete(member: Member): void {
    if (this.#dueAt.delete(member) && this.#dueAt.size === 0) this.#rest();
  }

  #watch(): void {
    const [first] = this.#dueAt.values();
    if (first === undefined) return;
    this.#stopTimer = after(Math.max(first - performance.now(), 1), () => this.#tell());
  }

  #rest(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #tell(): void {
    this.#stopTimer = undefined;
    const now = performance.now();
    try {
      for (const [member, dueAt] of this.#dueAt) {
        if (dueAt > now) break;
        this.#dueAt.delete(member);
        this.#onDue(member);
      }
    } finally {
      // Who was told may have put one in; and a fault in one must not be the end for all.
      if (this.#stopTimer === undefined) this.#watch();
    }
  }
}
