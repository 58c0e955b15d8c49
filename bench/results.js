import { median } from "./quantile.js";

/**
 * @typedef {{
 *   target: string, carrier: string, measure: string, key: string,
 *   samples: number[], median?: number, outcome?: string,
 * }} Result `outcome`: how a run ended that had no value, see `Outcome`; it then stands for all samples
 */

/** The samples of all runs. */
export class Results {
  /** @type {Result[]} */
  all = [];

  /** @param {Omit<Result, "samples">} where @param {number} value */
  add(where, value) {
    const result = this.#at(where);
    result.samples.push(value);
    result.median = median(result.samples);
  }

  /** @param {Omit<Result, "samples">} where @param {string} outcome */
  fail(where, outcome) {
    this.#at(where).outcome = outcome;
  }

  /** @param {Omit<Result, "samples">} where */
  #at(where) {
    const found = this.all.find(
      ({ target, carrier, measure, key }) =>
        target === where.target && carrier === where.carrier && measure === where.measure && key === where.key,
    );
    if (found !== undefined) return found;
    /** @type {Result} */
    const result = { ...where, samples: [] };
    this.all.push(result);
    return result;
  }
}
