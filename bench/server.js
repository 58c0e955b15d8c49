/** Starts a target in a process of its own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { token } from "./workload.js";

/**
 * @typedef {"sse" | "stdio" | "websocket"} Carrier
 * @typedef {{ live: number, rss: number }} Memory in bytes, after a collection
 * @typedef {{ count: number, tokens: readonly string[] }} Frames so many updates for each token
 */

/** A target's process: its carrier, and what it says of itself. */
export class Server {
  /** @type {import("node:child_process").ChildProcess} */
  process;
  carrier;
  era;
  port = 0;
  /** The session of a target that has them. @type {string | undefined} */
  session;
  /** The last that it wrote to its standard error. */
  said = "";
  /** Resolves once the target takes requests. @type {Promise<void>} */
  ready;
  /** Resolves once the process is gone. @type {Promise<unknown>} */
  ended;

  /**
   * @param {import("./targets.js").Target} target
   * @param {Carrier} carrier
   * @param {readonly string[]} flags
   */
  constructor({ path, era }, carrier, flags) {
    this.carrier = carrier;
    this.era = era;
    this.process = fork(fileURLToPath(path), [carrier], {
      execArgv: ["--expose-gc", ...flags],
      stdio: carrier === "stdio" ? ["pipe", "pipe", "pipe", "ipc"] : ["ignore", "ignore", "pipe", "ipc"],
    });
    this.ended = once(this.process, "exit");
    this.ready = this.#next("ready").then(({ port = 0 }) => {
      this.port = port;
    });
    this.ready.catch(() => {});
    // A target that is meant to die of its heap does so with a page of text.
    this.process.stderr?.on("data", (chunk) => {
      this.said = (this.said + chunk).slice(-2_000);
    });
    this.process.stdin?.on("error", () => {});
  }

  get alive() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Server CPU so far, user and system, in microseconds, by the process's own account. @returns {Promise<number>} */
  cpu() {
    return this.#ask("cpu");
  }

  /** @returns {Promise<Memory>} */
  memory() {
    return this.#ask("memory");
  }

  /** How many updates it has made. @returns {Promise<number>} */
  made() {
    return this.#ask("made");
  }

  /** Makes frames beforehand, where the target does that. @param {number} count @returns {Promise<void>} */
  prepare(count, tokens = [token]) {
    return this.#ask("prepare", { count, tokens });
  }

  /** Opens a gate of the calls at the pace `gated`. @param {0 | 1} index @returns {Promise<void>} */
  gate(index) {
    return this.#ask("gate", index);
  }

  async stop() {
    if (!this.alive) return;
    this.process.kill("SIGKILL");
    await this.ended;
  }

  /** @param {string} ask @param {unknown} [argument] @returns {Promise<any>} */
  async #ask(ask, argument) {
    if (!this.process.connected) throw new Error("The target has ended");
    // A target that ends meanwhile is noticed by its exit.
    this.process.send({ ask, argument }, () => {});
    return (await this.#next("answer")).value;
  }

  /** @param {string} type @returns {Promise<any>} */
  #next(type) {
    return new Promise((resolve, reject) => {
      const onMessage = (/** @type {any} */ message) => {
        if (message.type !== type) return;
        settle();
        resolve(message);
      };
      const onExit = (/** @type {number | null} */ code) => {
        settle();
        reject(new Error(`The target ended with ${code}`));
      };
      const settle = () => {
        this.process.off("message", onMessage);
        this.process.off("exit", onExit);
      };
      this.process.on("message", onMessage);
      this.process.on("exit", onExit);
    });
  }
}
