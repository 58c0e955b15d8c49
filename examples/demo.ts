// npm run demo: one tool on three carriers, called by the official client, with a live line for each. The tool
// asks which digest it is to compute; `npm run demo -- --algorithm sha512` says so beforehand.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createLiveLines } from "mcp-headway/terminal";
import { asapScheduler, fromEvent, lastValueFrom, map, merge, observeOn, Subject, takeUntil, tap } from "rxjs";
import { algorithms } from "./checksum/tool.ts";
import { createAnswerer } from "./demo/answer.ts";
import { type Checksum, callChecksum } from "./demo/call.ts";
import { openPeers } from "./demo/peer.ts";

const root = fileURLToPath(new URL("../node_modules", import.meta.url));
// What tools keep there while they run would make three sums of three moments.
const exclude = [".cache", ".vite", ".vite-temp"];

const { values: given } = parseArgs({ options: { algorithm: { type: "string" } } });
if (given.algorithm !== undefined && !algorithms.some((each) => each === given.algorithm)) {
  console.error(`Expected --algorithm to be one of ${algorithms.join(", ")}, got ${given.algorithm}`);
  process.exit(2);
}

console.log("Checksum of node_modules on three carriers\n");
const left = new AbortController();
const cancelled = new Subject<void>();
const live = createLiveLines({ stream: process.stdout, plainEveryMs: 1_000 });
const answer = createAnswerer({ given, live, signal: left.signal, onCancel: () => cancelled.next() });
const peers = await openPeers({ root, answer });
const results = new Map<string, Checksum>();
const calls = peers.map((peer) =>
  callChecksum(peer, { exclude }, live).pipe(tap((result) => results.set(peer.carrier, result))),
);
const interrupted = merge(
  merge(fromEvent(process, "SIGINT"), cancelled).pipe(map(() => 130)),
  fromEvent(process, "SIGTERM").pipe(map(() => 143)),
).pipe(
  tap((code) => {
    process.exitCode = code;
  }),
  // Later, because the guard of the cursor ends a process in which it finds no other listener for the signal.
  observeOn(asapScheduler),
);

try {
  // Leaving the stream cancels the calls.
  await lastValueFrom(merge(...calls).pipe(takeUntil(interrupted)), { defaultValue: undefined });
} finally {
  left.abort();
  await Promise.all(peers.map((peer) => peer.close()));
}

if (process.exitCode) {
  console.log("Cancelled");
} else {
  const [first, ...others] = results.values();
  assert.ok(first);
  assert.equal(others.length, 2);
  for (const other of others) assert.deepEqual(other, first);
  const { algorithm, digest, files, bytes } = first;
  console.log(`${files.toLocaleString("en")} files, ${(bytes / 1e6).toFixed(1)} MB, the same digest on all three`);
  console.log(`${algorithm} ${digest}`);
}
