import { performance } from "node:perf_hooks";
import { Observable } from "rxjs";
import { z } from "zod";
import type { Peer } from "./peer.ts";

const checksum = z.object({ digest: z.string(), files: z.number(), bytes: z.number() });
export type Checksum = z.output<typeof checksum>;

/** How far the call over one carrier has got. */
export interface CallState {
  readonly carrier: string;
  /** In [0, 1]. */
  readonly fraction: number;
  readonly message: string;
  readonly updates: number;
  readonly elapsedMs: number;
  /** There once the call has ended. */
  readonly result?: Checksum;
}

/** Calls the tool when subscribed to, and cancels the call when unsubscribed from. */
export function callChecksum({ carrier, client }: Peer, args: Record<string, unknown>): Observable<CallState> {
  return new Observable((subscriber) => {
    const left = new AbortController();
    const start = performance.now();
    let state: CallState = { carrier, fraction: 0, message: "", updates: 0, elapsedMs: 0 };
    const move = (change: Partial<CallState>) => {
      state = { ...state, ...change, elapsedMs: performance.now() - start };
      subscriber.next(state);
    };
    move({});
    client
      .callTool(
        { name: "checksum_tree", arguments: args },
        {
          signal: left.signal,
          resetTimeoutOnProgress: true,
          onprogress: ({ progress, total = 1, message = "" }) =>
            move({ fraction: progress / total, message, updates: state.updates + 1 }),
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
