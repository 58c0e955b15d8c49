/** What a client, a tool or a start waits. */
import { complete, withServer } from "../run.js";
import { everywhere } from "../targets.js";

/** @typedef {import("./index.js").Measure} Measure */

/** @type {Measure} */
export const first = {
  name: "first",
  about: "how soon a client hears of a tool in a tight loop",
  carriers: everywhere,
  values: [{ key: "ms", title: "first update while the tool is in a tight loop of 500 ms", unit: "ms", digits: 1 }],
  run: (setting) =>
    withServer(setting, async (server, call) => {
      await complete(call(server, "work", { count: 1, pace: "room" }), 1);
      const start = performance.now();
      const { reader } = call(server, "work", { count: 100_000_000, pace: "room", durationMs: 500 });
      await reader.first;
      return { ms: reader.firstAt - start };
    }),
};

/** @type {Measure} */
export const unheard = {
  name: "unheard",
  about: "a report when the client asked for no progress",
  carriers: ["sse"],
  values: [{ key: "ns", title: "one report without a token", unit: "ns", digits: 1 }],
  run: (setting) =>
    withServer(setting, async (server, call) => {
      const { result } = await call(server, "unheard", {}, { listening: false }).reader.done;
      return { ns: Number(result.content[0].text) };
    }),
};

/** @type {Measure} */
export const start = {
  name: "start",
  about: "cold start to the first answer of a tool",
  carriers: ["sse"],
  values: [{ key: "ms", title: "from start of the process to its first answer", unit: "ms", digits: 0 }],
  run: (setting) => {
    const begin = performance.now();
    return withServer(setting, async (server, call) => {
      await call(server, "work", { count: 0, pace: "room" }, { listening: false }).reader.done;
      return { ms: performance.now() - begin };
    });
  },
};
