/** What open requests and slow clients hold. */
import { setTimeout as sleep } from "node:timers/promises";
import { complete, standstill, withServer } from "../run.js";
import { everywhere } from "../targets.js";

/** @typedef {import("./index.js").Measure} Measure */

const mebi = 1_048_576;

/** @type {Measure} */
export const idle = {
  name: "idle",
  about: "1,000 requests that stay open and say nothing",
  carriers: ["sse"],
  values: [
    { key: "kib", title: "heap and buffers per idle open request, at 1,000", unit: "KiB", digits: 1 },
    { key: "rss", title: "resident memory, the same", unit: "KiB", digits: 1 },
  ],
  run: (setting) =>
    withServer(setting, async (server, call) => {
      const open = (/** @type {number} */ count) =>
        Promise.all(Array.from({ length: count }, () => call(server, "work", { count: 1, pace: "idle" }).reader.first));
      await open(20);
      const before = await server.memory();
      for (let batch = 0; batch < 5; batch += 1) await open(200);
      const after = await server.memory();
      return { kib: (after.live - before.live) / 1_024 / 1_000, rss: (after.rss - before.rss) / 1_024 / 1_000 };
    }),
};

/** @type {Measure} */
export const stopped = {
  name: "stopped",
  about: "200,000 updates to a client that stopped reading",
  carriers: everywhere,
  rounds: 1,
  values: [
    {
      key: "live",
      title: "growth of heap and buffers, 200,000 updates, the client stopped reading",
      unit: "MiB",
      digits: 1,
      absolute: true,
    },
    { key: "rss", title: "growth of resident memory, the same", unit: "MiB", digits: 0, absolute: true },
  ],
  run: (setting) =>
    withServer(setting, async (server, call) => {
      await server.prepare(200_000);
      await call(server, "work", { count: 2_000, pace: "careless" }).reader.done;
      const before = await server.memory();
      const { reader, read } = call(server, "work", { count: 200_000, pace: "careless" }, { reading: false });
      await standstill(server, 200_000);
      const after = await server.memory();
      read();
      await reader.done;
      return { live: (after.live - before.live) / mebi, rss: (after.rss - before.rss) / mebi };
    }),
};

/** @type {Measure} */
export const survival = {
  name: "survival",
  about: "1,000,000 updates nobody reads, heap of 128 MB; then another client is answered",
  carriers: ["sse"],
  rounds: 1,
  values: [
    {
      key: "alive",
      title: "1,000,000 updates nobody reads, heap of 128 MB",
      unit: "then another call",
      digits: 0,
      absolute: true,
      yes: "lives",
    },
  ],
  run: (setting) =>
    withServer(
      setting,
      async (server, call) => {
        const { close } = call(server, "work", { count: 1_000_000, pace: "careless" }, { reading: false });
        await standstill(server, 1_000_000);
        await complete(call(server, "work", { count: 10, pace: "room" }), 10);
        close();
        // What died of it does so when the connection is given up, too.
        await sleep(500);
        await server.made();
        return { alive: 1 };
      },
      { flags: ["--max-old-space-size=128"], deadlineMs: 180_000 },
    ),
};
