/** A target's side of the channel to the bench: what it says of itself, apart from the carrier that is measured. */
import { made } from "./workload.js";

/** Tells the bench that requests can come. @param {{ port?: number }} where */
export function ready(where = {}) {
  process.send?.({ type: "ready", ...where });
}

/** @type {Record<string, (argument: number) => unknown>} */
const answers = {
  made: () => made.count,
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: () => {
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, live: heapUsed + external };
  },
  prepare: () => undefined,
};

/** Lets a target make its frames beforehand. @param {(count: number) => void} prepare */
export function onPrepare(prepare) {
  answers.prepare = prepare;
}

process.on("message", ({ ask, argument }) => process.send?.({ type: "answer", value: answers[ask]?.(argument) }));
process.on("disconnect", () => process.exit());
