// A handler that is a stream: it reports what passes, its last value is the result, unsubscribing cancels it.
import assert from "node:assert/strict";
import { createMcpServer, defineTool, type ProgressUpdate, reportTo } from "mcp-headway";
import { connect } from "mcp-headway/client";
import { concatMap, delay, finalize, from, map, of, reduce } from "rxjs";
import { z } from "zod";

let open = 0;

// #region tool
const averageTemperature = defineTool({
  name: "average_temperature",
  description: "Asks each station for its temperature",
  inputSchema: z.object({ stations: z.array(z.string()).min(1) }),
  handler: ({ stations }, ctx) =>
    from(stations).pipe(
      concatMap(measure),
      reportTo(ctx.countingProgress(stations.length), ({ station, celsius }) => `${station}: ${celsius} °C`),
      reduce((sum, { celsius }) => sum + celsius, 0),
      map((sum) => ({ celsius: sum / stations.length })),
    ),
});
// #endregion

function measure(station: string) {
  open += 1;
  return of({ station, celsius: station.length }).pipe(
    delay(5),
    finalize(() => {
      open -= 1;
    }),
  );
}

const client = connect(createMcpServer({ name: "weather", version: "1.0.0", tools: [averageTemperature] }));

const updates: ProgressUpdate[] = [];
const stations = ["Oslo", "Bergen"];
const result = await client.callTool("average_temperature", { stations }, { onProgress: (it) => updates.push(it) });
assert.deepEqual(result.structuredContent, { celsius: 5 });
assert.deepEqual(
  updates.map(({ message }) => message),
  ["Oslo: 4 °C", "Bergen: 6 °C"],
);
console.log(`${updates.map(({ message }) => message).join(", ")}, on average 5 °C`);

// A call that is given up unsubscribes: the station that was being asked is let go.
const giveUp = new AbortController();
const call = client.callTool(
  "average_temperature",
  { stations },
  { signal: giveUp.signal, onProgress: () => giveUp.abort() },
);
await assert.rejects(call);
assert.equal(open, 0);
console.log("A call that was given up left nothing open");

client.close();
