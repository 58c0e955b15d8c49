/** What is measured, and how. Every run has a fresh process of the target to itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { calls } from "./clients/call.js";
import { Server } from "./server.js";
import { micros } from "./workload.js";

/**
 * @typedef {import("./server.js").Carrier} Carrier
 * @typedef {{ path: string, carrier: Carrier, scale: number }} Setting `scale` shortens runs; 1 is the full length
 * @typedef {{ key: string, title: string, unit: string, digits: number, absolute?: true }} Value `absolute`: a ratio of it means nothing
 * @typedef {{
 *   name: string, carriers: readonly Carrier[], values: readonly Value[], rounds?: number,
 *   run: (setting: Setting) => Promise<Record<string, number>>,
 * }} Measure `rounds`: at most so many, for what does not vary
 */

/** @type {readonly Carrier[]} */
const all = ["sse", "stdio", "websocket"];
const mebi = 1_048_576;

/** @type {readonly Measure[]} */
export const measures = [
  {
    name: "flood",
    carriers: all,
    values: [
      { key: "cpu", title: "server CPU per update, all delivered", unit: "µs", digits: 2 },
      { key: "rate", title: "updates per second, all delivered", unit: "thousands", digits: 0 },
    ],
    run: (setting) => deliverAll(setting, "room"),
  },
  {
    name: "turns",
    carriers: all,
    values: [
      { key: "cpu", title: "server CPU per update, the tool yields after each", unit: "µs", digits: 2 },
      { key: "rate", title: "updates per second, the tool yields after each", unit: "thousands", digits: 0 },
    ],
    run: (setting) => deliverAll(setting, "turn"),
  },
  {
    name: "first",
    carriers: all,
    values: [{ key: "ms", title: "first update while the tool is in a tight loop of 500 ms", unit: "ms", digits: 1 }],
    run: (setting) =>
      withServer(setting, [], async (server, call) => {
        await call(server, "work", { count: 1, pace: "room" }).reader.done;
        const start = performance.now();
        const { reader } = call(server, "work", { count: 100_000_000, pace: "room", durationMs: 500 });
        await reader.done;
        return { ms: reader.firstAt - start };
      }),
  },
  {
    name: "latency",
    carriers: all,
    values: [{ key: "p50", title: "latency at one update per 5 ms, p50", unit: "ms", digits: 2 }],
    run: (setting) =>
      withServer(setting, [], async (server, call) => {
        /** @type {number[]} */
        const latencies = [];
        const { reader } = call(server, "work", { count: Math.ceil(400 * setting.scale), pace: "clock" });
        reader.onUpdate = (text) => latencies.push(micros() - Number(JSON.parse(text).params.message));
        await reader.done;
        return { p50: median(latencies) / 1_000 };
      }),
  },
  {
    name: "parallel",
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
      withServer(setting, [], async (server, call) => {
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
  },
  {
    name: "idle",
    carriers: ["sse"],
    values: [{ key: "kib", title: "memory per idle open request", unit: "KiB", digits: 0 }],
    run: (setting) =>
      withServer(setting, [], async (server, call) => {
        const open = (/** @type {number} */ count) =>
          Promise.all(
            Array.from({ length: count }, () => call(server, "work", { count: 1, pace: "idle" }).reader.first),
          );
        await open(20);
        const before = await server.memory();
        await open(200);
        return { kib: ((await server.memory()).live - before.live) / 1_024 / 200 };
      }),
  },
  {
    name: "stopped",
    carriers: all,
    rounds: 3,
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
      withServer(setting, [], async (server, call) => {
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
  },
  {
    name: "survival",
    carriers: ["sse"],
    rounds: 1,
    values: [
      {
        key: "alive",
        title: "lives through 1,000,000 updates nobody reads, heap of 128 MB",
        unit: "1 = yes",
        digits: 0,
        absolute: true,
      },
    ],
    run: (setting) =>
      withServer(setting, ["--max-old-space-size=128"], async (server, call) => {
        const { close } = call(server, "work", { count: 1_000_000, pace: "careless" }, { reading: false });
        await standstill(server, 1_000_000).catch(() => {});
        close();
        return { alive: server.alive ? 1 : 0 };
      }),
  },
  {
    name: "unheard",
    carriers: ["sse"],
    values: [{ key: "ns", title: "one report without a token", unit: "ns", digits: 1 }],
    run: (setting) =>
      withServer(setting, [], async (server, call) => {
        const { result } = await call(server, "unheard", {}, { listening: false }).reader.done;
        return { ns: Number(result.content[0].text) };
      }),
  },
  {
    name: "start",
    carriers: ["sse"],
    values: [{ key: "ms", title: "from start of the process to its first answer", unit: "ms", digits: 0 }],
    run: async (setting) => {
      const start = performance.now();
      return withServer(setting, [], async (server, call) => {
        await call(server, "work", { count: 0, pace: "room" }, { listening: false }).reader.done;
        return { ms: performance.now() - start };
      });
    },
  },
];

/** @param {Setting} setting @param {"room" | "turn"} pace */
function deliverAll(setting, pace) {
  const count = Math.ceil(100_000 * setting.scale);
  return withServer(setting, [], async (server, call) => {
    await server.prepare(count);
    await complete(call(server, "work", { count: Math.ceil(count / 2), pace }), Math.ceil(count / 2));
    const [before, start] = [await server.cpu(), performance.now()];
    await complete(call(server, "work", { count, pace }), count);
    const ms = performance.now() - start;
    return { cpu: ((await server.cpu()) - before) / count, rate: count / ms };
  });
}

/**
 * @param {Setting} setting
 * @param {readonly string[]} flags
 * @param {(server: Server, call: import("./clients/call.js").Call) => Promise<Record<string, number>>} run
 */
async function withServer({ path, carrier }, flags, run) {
  const server = await Server.start(path, carrier, flags);
  try {
    return await run(server, calls[carrier]);
  } finally {
    await server.stop();
  }
}

/** @param {ReturnType<import("./clients/call.js").Call>} call @param {number} count */
async function complete({ reader, close }, count) {
  await reader.done;
  close();
  if (reader.count !== count) throw new Error(`Expected ${count} updates to be delivered, got ${reader.count}`);
}

/** Waits until the target made all updates, or makes no more because it waits for its reader. @param {Server} server @param {number} count */
async function standstill(server, count) {
  for (let last = -1, quiet = 0; quiet < 5; ) {
    await sleep(100);
    const made = await server.made();
    if (made === count) break;
    quiet = made === last ? quiet + 1 : 0;
    last = made;
  }
  await sleep(200);
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
