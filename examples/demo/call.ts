import { performance } from "node:perf_hooks";
import { observeProgress } from "mcp-headway/client";
import type { LiveLines } from "mcp-headway/terminal";
import { defer, map, type Observable, takeLast, tap } from "rxjs";
import { z } from "zod";
import type { Peer } from "./peer.ts";

const checksum = z.object({ algorithm: z.string(), digest: z.string(), files: z.number(), bytes: z.number() });
export type Checksum = z.output<typeof checksum>;

/** Calls the tool when subscribed to, and cancels the call when unsubscribed from. A line shows how far it is. */
export function callChecksum(
  { carrier, client }: Peer,
  args: Record<string, unknown>,
  live: LiveLines,
): Observable<Checksum> {
  return defer(() => {
    let updates = 0;
    // Since the first update: how long a user thinks is no matter of the carrier.
    let start: number | undefined;
    const count = () => {
      updates += 1;
      start ??= performance.now();
    };
    const ending = () => {
      const seconds = (performance.now() - (start ?? performance.now())) / 1_000;
      return `100 %  ${updates} updates in ${seconds.toFixed(1)} s`;
    };
    return observeProgress((options) =>
      client.callTool({ name: "checksum_tree", arguments: args }, { ...options, resetTimeoutOnProgress: true }),
    ).pipe(
      tap(({ type }) => type === "progress" && count()),
      live.line(carrier, { ending }),
      takeLast(1),
      map((event) => {
        if (event.type !== "result") throw new Error(`The tool ended without a result over ${carrier}`);
        const { isError, content, structuredContent } = event.result;
        if (isError) throw new Error(`The tool failed over ${carrier}: ${JSON.stringify(content)}`);
        return checksum.parse(structuredContent);
      }),
    );
  });
}
