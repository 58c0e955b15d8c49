/** Whether an update costs the same however many a call makes. */
import { complete, withServer } from "../run.js";
import { everywhere } from "../targets.js";

const counts = [12_500, 25_000, 50_000, 100_000, 200_000];
/** A target that took longer than this for one count is spared the next ones. */
const patienceMs = 20_000;
const warmMs = 1_500;

/** @type {import("./index.js").Measure} */
export const growth = {
  name: "growth",
  about: "CPU and rate as one call makes 12,500 to 200,000 updates",
  carriers: everywhere,
  rounds: 1,
  values: [
    ...values("cpu", "server CPU per update of a call with so many", "µs", 2),
    ...values("rate", "updates per second of a call with so many", "thousands", 0),
  ],
  run: (setting) =>
    withServer(
      setting,
      async (server, call) => {
        await server.prepare(200_000);
        // What is compiled late would be charged to the least count.
        for (const begin = performance.now(); performance.now() - begin < warmMs * setting.scale; )
          await complete(call(server, "work", { count: 12_500, pace: "room" }), 12_500);
        /** @type {import("../run.js").Values} */
        const values = {};
        for (const full of counts) {
          const count = Math.ceil(full * setting.scale);
          const [before, start] = [await server.cpu(), performance.now()];
          await complete(call(server, "work", { count, pace: "room" }), count);
          const ms = performance.now() - start;
          values[`cpu ${full}`] = ((await server.cpu()) - before) / count;
          values[`rate ${full}`] = count / ms;
          if (ms > patienceMs) break;
        }
        return values;
      },
      { deadlineMs: 300_000 },
    ),
};

/** @param {string} key @param {string} title @param {string} unit @param {number} digits */
function values(key, title, unit, digits) {
  return counts.map((n) => ({ key: `${key} ${n}`, row: n.toLocaleString("en"), title, unit, digits }));
}
