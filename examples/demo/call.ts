import { performance } from "node:perf_hooks";
import { Observable } from "rxjs";
import { z } from "zod";
import type { Peer } from "./peer.ts";

const checksum = z.object({ algorithm: z.string(), digest: z.string(), files: z.number(), bytes: z.number() });
export type Checksum = z.output<typeof checksum>;

/** How far the call over one carrier has got. */
export interface CallState {
  readonly carrier: string;
  /** In [0, 1]. */
  readonly fraction: number;
  readonly message: string;
  readonly updates: number;
  /** Since the first update: how long a user thinks is no matter of the carrier. */
  readonly elapsedMs: number;
  /** There once the call has ended. */
  readonly result?: Checksum;
}

/** Calls the tool when subscribed to, and cancels the call when unsubscribed from. */
export function callChecksum({ carrier, client }: Peer, args: Record<string, unknown>): Observable<CallState> {
  return new Observable((subscriber) => {
    const left = new AbortController();
    let start: number | undefined;
    let state: CallState = { carrier, fraction: 0, message: "", updates: 0, elapsedMs: 0 };
    const move = (change: Partial<CallState>) => {
      start ??= performance.now();
      state = { ...state, ...change, elapsedMs: performance.now() - start };
      subscriber.next(state);
    };
    client
      .callTool(
        { name: "checksum_tree", arguments: args },
        {
          signal: left.signal,
          resetTimeoutOnProgress: true,
          onprogress: ({ progress, total, message = "" }) => {
            // The client tells of each round itself, without a total: what the tool reports has one.
            if (total !== undefined) move({ fraction: progress / total, message, updates: state.updates + 1 });
          },
        },
      )
      .then(({ isError, content, structuredContent }) => {
        if (isError) throw new Error(`The tool failed over ${carrier}: ${JSON.stringify(content)}`);
        move({ fraction: 1, result: checksum.parse(structuredContent) });
        subscriber.complete();
      })
      .catch((error) => subscriber.error(error));
    return () => left.abort();
  });
}
