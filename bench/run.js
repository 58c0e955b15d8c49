/** One run: a fresh process of the target, under a deadline. */
import { setTimeout as sleep } from "node:timers/promises";
import { calls } from "./clients/call.js";
import { openSession } from "./clients/session.js";
import { Outcome } from "./outcome.js";
import { Server } from "./server.js";

/**
 * @typedef {{ target: import("./targets.js").Target, carrier: import("./server.js").Carrier, scale: number }} Setting
 *   `scale` shortens runs; 1 is the full length
 * @typedef {Record<string, number>} Values
 */

/**
 * Gives `run` a target that takes requests, and rejects with an `Outcome` when that does not end well.
 * @param {Setting} setting
 * @param {(server: Server, call: import("./clients/call.js").Call) => Promise<Values>} run
 * @param {{ flags?: readonly string[], deadlineMs?: number }} [options]
 */
export async function withServer({ target, carrier }, run, { flags = [], deadlineMs = 120_000 } = {}) {
  const server = new Server(target, carrier, flags);
  let isLate = false;
  let isUp = false;
  const timer = setTimeout(() => {
    isLate = true;
    server.process.kill("SIGKILL");
  }, deadlineMs);
  const body = async () => {
    await server.ready;
    isUp = true;
    if (target.era === "legacy") await openSession(server);
    return run(server, calls[carrier]);
  };
  try {
    return await Promise.race([body(), server.ended.then(() => Promise.reject(new Error("The target ended")))]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // A connection breaks a moment before its process is seen to be gone.
    await Promise.race([server.ended, sleep(1_000)]);
    if (isLate) throw new Outcome("stalls", `no end within ${deadlineMs / 1_000} s`);
    if (server.alive) throw new Outcome("fails", reason);
    // One that never took a request is broken, not overcome.
    throw new Outcome(isUp ? "dies" : "fails", cause(server.said) || reason);
  } finally {
    clearTimeout(timer);
    await server.stop();
  }
}

/** @param {{ reader: import("./clients/reader.js").Reader, close: () => void }} call @param {number} count */
export async function complete({ reader, close }, count) {
  await reader.done;
  close();
  if (reader.error !== undefined) throw reader.error;
  if (reader.count !== count) throw new Error(`Expected ${count} updates to be delivered, got ${reader.count}`);
}

/** Waits until the target made all updates, or makes no more because it waits for its reader. @param {Server} server @param {number} count */
export async function standstill(server, count) {
  for (let last = -1, quiet = 0; quiet < 5; ) {
    await sleep(100);
    const made = await server.made();
    if (made === count) break;
    quiet = made === last ? quiet + 1 : 0;
    last = made;
  }
  await sleep(200);
}

/** The line in which a process says why it dies. @param {string} said */
function cause(said) {
  return /^(FATAL ERROR|\w*Error\b).*/m.exec(said)?.[0] ?? said.trim().split("\n").at(-1);
}
