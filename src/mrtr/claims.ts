/** One question of a run. */
export interface Claim {
  readonly text: string;
  /** How often this run has asked it. */
  readonly turn: number;
  isAsking: boolean;
  isOpen: boolean;
}

/** Which questions a run has asked: no answer may ever reach another question than its own. */
export class Claims {
  readonly #claims = new Map<string, Claim>();

  /**
   * Claims a key or, without one, the next turn of a question's text. A question that was left open is the
   * same question when it is asked again, by a handler that retries: `undefined`.
   * @throws TypeError for a key that cannot be one or is used twice, and for the same keyless question asked twice at once.
   */
  claim(key: string | undefined, text: string): Claim | undefined {
    // Many a client would lose `__proto__` on its way, and be asked for ever.
    if (key !== undefined && (typeof key !== "string" || key === "__proto__")) {
      throw new TypeError(`Expected a question's \`key\` to be a string but "__proto__", got ${JSON.stringify(key)}`);
    }
    const id = key === undefined ? `text ${text}` : `key ${key}`;
    const held = this.#claims.get(id);
    if (held?.isOpen && held.text === text) return undefined;
    if (held !== undefined && key !== undefined) {
      throw new TypeError(`Expected a question's key to be used once, got ${JSON.stringify(key)} again`);
    }
    if (held?.isAsking) {
      throw new TypeError("Expected one question at a time, got the same one twice at once; give each a `key`");
    }
    const claim: Claim = { text, turn: (held?.turn ?? 0) + 1, isAsking: true, isOpen: false };
    this.#claims.set(id, claim);
    return claim;
  }
}
