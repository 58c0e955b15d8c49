/** What is measured. Every run has a fresh process of the target to itself. */
import { flood, latency, parallel, turns } from "./delivery.js";
import { growth } from "./growth.js";
import { idle, stopped, survival } from "./memory.js";
import { requests } from "./requests.js";
import { size } from "./size.js";
import { first, start, unheard } from "./wait.js";

/**
 * @typedef {import("../server.js").Carrier} Carrier
 * @typedef {{
 *   key: string, title: string, unit: string, digits: number, row?: string, absolute?: true, yes?: string,
 * }} Value `row`: which of several with the same title; `absolute`: a ratio of it means nothing; `yes`: the word for 1
 * @typedef {{
 *   name: string, about: string, carriers: readonly Carrier[], values: readonly Value[], rounds?: number,
 *   run: (setting: import("../run.js").Setting) => Promise<import("../run.js").Values>,
 * }} Measure `rounds`: at most so many, for what is long or does not vary
 */

/** @type {readonly Measure[]} */
export const measures = [
  flood,
  turns,
  first,
  latency,
  parallel,
  growth,
  requests,
  idle,
  stopped,
  survival,
  unheard,
  start,
  size,
];
