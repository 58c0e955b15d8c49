/**
 * How a run can end without values: its target `dies`, `stalls` past the deadline, `fails` (an update is
 * lost or out of order, the result is not last, a call is refused), or cannot do the measure (`–`).
 */
export class Outcome extends Error {
  /** @override */
  name = "Outcome";
  /** What was measured before. @type {Record<string, number>} */
  values = {};
  /** @param {"dies" | "stalls" | "fails" | "–"} word @param {string} reason */
  constructor(word, reason) {
    super(reason);
    this.word = word;
  }
}
