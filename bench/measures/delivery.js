/** What it costs to deliver every update. */
import { median, quantile } from "../quantile.js";
import { complete, withServer } from "../run.js";
import { everywhere } from "../targets.js";
import { micros } from "../workload.js";

/** @typedef {import("./index.js").Measure} Measure */

/** @type {Measure} */
export const flood = {
  name: "flood",
  about: "100,000 updates of one call as fast as they are taken",
  carriers: everywhere,
  values: [
    { key: "cpu", title: "server CPU per update, all delivered", unit: "µs", digits: 2 },
    { key: "rate", title: "updates per second, all delivered", unit: "thousands", digits: 0 },
  ],
  run: (setting) => deliverAll(setting, "room"),
};

/** @type {Measure} */
export const turns = {
  name: "turns",
  about: "the same when the tool lets the event loop turn after each update",
  carriers: everywhere,
  values: [
    { key: "cpu", title: "server CPU per update, the tool yields after each", unit: "µs", digits: 2 },
    { key: "rate", title: "updates per second, the tool yields after each", unit: "thousands", digits: 0 },
  ],
  run: (setting) => deliverAll(setting, "turn"),
};

/** @type {Measure} */
export const latency = {
  name: "latency",
  about: "from the report to its receipt, at one update per 5 ms",
  carriers: everywhere,
  values: [
    { key: "p50", title: "latency at one update per 5 ms, p50", unit: "ms", digits: 2 },
    { key: "p99", title: "latency at one update per 5 ms, p99", unit: "ms", digits: 2 },
  ],
  run: (setting) =>
    withServer(setting, async (server, call) => {
      /** @type {number[]} */
      const latencies = [];
      const count = Math.ceil(500 * setting.scale);
      const clocked = call(server, "work", { count, pace: "clock" });
      clocked.reader.onUpdate = (text) => latencies.push(micros() - Number(JSON.parse(text).params.message));
      await complete(clocked, count);
      return { p50: median(latencies) / 1_000, p99: quantile(latencies, 0.99) / 1_000 };
    }),
};

/** @type {Measure} */
export const parallel = {
  name: "parallel",
  about: "200 calls × 100 updates at once, each on its own connection",
  carriers: ["sse"],
  values: [
    {
      key: "cpu",
      title: "200 calls × 100 updates at once, the tools yield after each, server CPU",
      unit: "ms",
      digits: 0,
    },
  ],
  run: (setting) =>
    withServer(setting, async (server, call) => {
      await server.prepare(100);
      const together = () =>
        Promise.all(
          Array.from({ length: 200 }, () => complete(call(server, "work", { count: 100, pace: "turn" }), 100)),
        );
      await together();
      const before = await server.cpu();
      await together();
      return { cpu: ((await server.cpu()) - before) / 1_000 };
    }),
};

/** @param {import("../run.js").Setting} setting @param {"room" | "turn"} pace */
function deliverAll(setting, pace) {
  const count = Math.ceil(100_000 * setting.scale);
  return withServer(setting, async (server, call) => {
    await server.prepare(count);
    await complete(call(server, "work", { count: Math.ceil(count / 2), pace }), Math.ceil(count / 2));
    const [before, start] = [await server.cpu(), performance.now()];
    await complete(call(server, "work", { count, pace }), count);
    const ms = performance.now() - start;
    return { cpu: ((await server.cpu()) - before) / count, rate: count / ms };
  });
}
