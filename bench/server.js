/** Starts a target in a process of its own. */
import { fork } from "node:child_process";
import { once } from "node:events";

/**
 * @typedef {"sse" | "stdio" | "websocket"} Carrier
 * @typedef {{ live: number, rss: number }} Memory in bytes, after a collection
 */

/** A target's process: its carrier, and what it says of itself. */
export class Server {
  /** @type {import("node:child_process").ChildProcess} */
  process;
  port = 0;

  /**
   * Resolves once the target takes requests.
   * @param {string} path
   * @param {Carrier} carrier
   * @param {readonly string[]} flags
   */
  static async start(path, carrier, flags = []) {
    const server = new Server(path, carrier, flags);
    server.port = (await server.#next("ready")).port ?? 0;
    return server;
  }

  /**
   * @param {string} path
   * @param {Carrier} carrier
   * @param {readonly string[]} flags
   */
  constructor(path, carrier, flags) {
    this.process = fork(path, [carrier], {
      execArgv: ["--expose-gc", ...flags],
      stdio: carrier === "stdio" ? ["pipe", "pipe", "inherit", "ipc"] : ["ignore", "inherit", "pipe", "ipc"],
    });
    // A target that is meant to die of its heap does so with a page of text.
    this.process.stderr?.on("data", (chunk) => {
      this.said = (this.said + chunk).slice(-2_000);
    });
  }

  said = "";

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
  prepare(count) {
    return this.#ask("prepare", count);
  }

  async stop() {
    if (!this.alive) return;
    const left = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await left;
  }

  /** @param {string} ask @param {number} [argument] @returns {Promise<any>} */
  async #ask(ask, argument) {
    if (!this.process.connected) throw new Error(`The target has ended: ${this.said}`);
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
        reject(new Error(`The target ended with ${code}: ${this.said}`));
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
