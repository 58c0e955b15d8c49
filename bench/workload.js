/** What every target does when its `work` tool is called: the same updates, at the same pace. */
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";

export const token = "bench-4f1d";
/** The token of one call among many on the same connection. @param {number} index */
export const tokenOf = (index) => `bench-${index}`;
/** The same in every update, so that a frame made beforehand fits any call. */
export const total = 1_000_000;

const messages = Array.from({ length: 1_024 }, (_, index) => `Indexing file ${String(index).padStart(4, "0")}.md`);
/** @param {number} progress */
export const messageOf = (progress) => messages[progress & 1_023] ?? "";

/**
 * - `room`: after each update, wait until the carrier has room, as the target's handlers do that.
 * - `turn`: the same, and let the event loop turn after each update.
 * - `clock`: one update per 5 ms, its message the moment it was made, in microseconds.
 * - `careless`: do not wait for room, where the target allows that; let the event loop turn every 100 updates.
 * - `idle`: one update, then nothing for ten minutes.
 * - `gated`: one update, then as `turn` once the bench opens the first gate; the result waits for the second.
 */
export const paces = /** @type {const} */ (["room", "turn", "clock", "careless", "idle", "gated"]);

/**
 * @typedef {typeof paces[number]} Pace
 * @typedef {{ count: number, pace: Pace, durationMs?: number | undefined }} Work
 */

/** How many updates this process has made so far, for whoever asks from outside. */
export const made = { count: 0 };

const openings = /** @type {(() => void)[]} */ ([]);
const gates = Array.from({ length: 2 }, () => new Promise((resolve) => openings.push(() => resolve(undefined))));
/** Opens the first or the second gate. @param {number} index */
export const openGate = (index) => openings[index]?.();

/**
 * @param {Work} work with `durationMs`, it ends after that time even when `count` is not reached
 * @param {(progress: number, message: string) => unknown} say its promise, if any, is that the carrier has room
 */
export async function perform({ count, pace, durationMs = Number.POSITIVE_INFINITY }, say) {
  const end = performance.now() + durationMs;
  for (let progress = 1; progress <= count; progress += 1) {
    const room = say(progress, pace === "clock" ? String(micros()) : messageOf(progress));
    made.count = progress;
    await room;
    if (pace === "gated" && progress === 1) await gates[0];
    else if (pace === "turn" || pace === "gated" || (pace === "careless" && progress % 100 === 0)) await turn();
    if (pace === "clock") await sleep(5);
    if (pace === "idle") return sleep(600_000);
    if (progress % 64 === 0 && performance.now() > end) return;
  }
  if (pace === "gated") await gates[1];
}

/** The same clock in every process of this machine. */
export function micros() {
  return Number(process.hrtime.bigint() / 1_000n);
}

/**
 * Nanoseconds per report when the client asked for no progress.
 * @param {(progress: number, message: string) => void} say
 */
export function timeUnheard(say) {
  const rounds = 5_000_000;
  for (let progress = 1; progress <= rounds; progress += 1) say(progress, "Indexing file 0001.md");
  const start = process.hrtime.bigint();
  for (let progress = rounds + 1; progress <= 2 * rounds; progress += 1) say(progress, "Indexing file 0001.md");
  return Number(process.hrtime.bigint() - start) / rounds;
}
