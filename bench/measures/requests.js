/** Whether an update costs the same however many requests are open. */
import { setTimeout as sleep } from "node:timers/promises";
import { shares } from "../clients/call.js";
import { Outcome } from "../outcome.js";
import { complete, withServer } from "../run.js";
import { everywhere } from "../targets.js";
import { tokenOf } from "../workload.js";

const sizes = [1, 10, 100, 1_000, 10_000];
/** However many requests share them. */
const updates = 100_000;
/** So many are opened at once, which a listening socket takes without refusing any. */
const batch = 200;
const quietMs = 5_000;
const mebi = 1_048_576;

/** @type {import("./index.js").Measure} */
export const requests = {
  name: "requests",
  about: "CPU per update and memory with 1 to 10,000 requests open at once",
  carriers: everywhere,
  rounds: 1,
  values: [
    ...values("cpu", "server CPU per update, so many requests open at once, the tools yield", "µs", 2),
    ...values("live", "heap and buffers of so many open requests", "MiB", 1),
    ...values("rss", "growth of resident memory with so many open requests", "MiB", 0),
  ],
  async run(setting) {
    /** @type {import("../run.js").Values} */
    const all = {};
    for (const size of sizes) {
      try {
        Object.assign(all, await runOpen(setting, size));
      } catch (error) {
        if (error instanceof Outcome) error.values = all;
        throw error;
      }
    }
    return all;
  },
};

/** @param {import("../run.js").Setting} setting @param {number} size */
function runOpen(setting, size) {
  if (setting.carrier === "sse" && size + 100 > openFiles()) throw new Outcome("–", `ulimit -n is ${openFiles()}`);
  const count = Math.max(2, Math.ceil((updates * setting.scale) / size));
  return withServer(
    setting,
    async (server, call) => {
      await server.prepare(
        count,
        Array.from({ length: size }, (_, index) => tokenOf(index)),
      );
      const warm = Math.ceil(20_000 * setting.scale);
      await complete(call(server, "work", { count: warm, pace: "turn" }), warm);
      const empty = await server.memory();
      const share = shares[setting.carrier](server);
      /** @type {ReturnType<typeof share.call>[]} */
      const open = [];
      while (open.length < size) {
        const next = Array.from({ length: Math.min(batch, size - open.length) }, (_, index) =>
          share.call({ count, pace: "gated" }, tokenOf(open.length + index)),
        );
        open.push(...next);
        await Promise.all(next.map(({ reader }) => reader.first));
      }
      const full = await server.memory();
      const before = await server.cpu();
      await server.gate(0);
      await allCame(
        open.map(({ reader }) => reader),
        count,
      );
      const cpu = (await server.cpu()) - before;
      await server.gate(1);
      await Promise.all(open.map((one) => complete(one, count)));
      share.close();
      return {
        [`cpu ${size}`]: cpu / (size * (count - 1)),
        [`live ${size}`]: (full.live - empty.live) / mebi,
        [`rss ${size}`]: (full.rss - empty.rss) / mebi,
      };
    },
    { deadlineMs: 180_000 },
  );
}

/**
 * Resolves once each has its updates, or none came for a while: then some are lost, which the results tell.
 * @param {readonly import("../clients/reader.js").Reader[]} readers
 * @param {number} count
 */
async function allCame(readers, count) {
  let isOver = false;
  const all = Promise.all(readers.map((reader) => reader.reached(count))).finally(() => {
    isOver = true;
  });
  for (let last = -1; !isOver; ) {
    await Promise.race([all, sleep(quietMs, undefined, { ref: false })]);
    const now = readers.reduce((sum, reader) => sum + reader.count, 0);
    if (now === last) break;
    last = now;
  }
}

/** How many files, and so sockets, a process may have open. */
function openFiles() {
  const limit = /** @type {any} */ (process.report.getReport()).userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
}

/** @param {string} key @param {string} title @param {string} unit @param {number} digits */
function values(key, title, unit, digits) {
  return sizes.map((n) => ({ key: `${key} ${n}`, row: n.toLocaleString("en"), title, unit, digits }));
}
