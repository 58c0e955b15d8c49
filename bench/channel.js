/** A target's side of the channel to the bench: what it says of itself, apart from the carrier that is measured. */
import { made, openGate } from "./workload.js";

/** Tells the bench that requests can come. @param {{ port?: number }} where */
export function ready(where = {}) {
  process.send?.({ type: "ready", ...where });
}

/** Listens on a free port of this machine and says which. @param {import("node:http").Server} server */
export function listen(server) {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) ready({ port: address.port });
  });
}

/** @type {Record<string, (argument: any) => unknown>} */
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
  gate: openGate,
};

/** Lets a target make its frames beforehand. @param {(frames: import("./server.js").Frames) => void} prepare */
export function onPrepare(prepare) {
  answers.prepare = prepare;
}

process.on("message", (/** @type {{ ask: string, argument: any }} */ { ask, argument }) =>
  process.send?.({ type: "answer", value: answers[ask]?.(argument) }),
);
process.on("disconnect", () => process.exit());
