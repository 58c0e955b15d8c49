import { attempt, shorten } from "../errors.ts";
import { checkNumbers } from "../transports/index.ts";
import { isObject } from "../wire/index.ts";
import { dial } from "./websocket-dial.ts";
import { Link } from "./websocket-link.ts";
import { clientSink } from "./websocket-sink.ts";
import type { JsonRpcMessage, MessageExtra, WebSocketTransport } from "./websocket-transport.ts";

export interface WebSocketClientOptions {
  /** Headers of the upgrade request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long the server may take to answer the upgrade, in milliseconds. @default 10_000 */
  readonly connectTimeoutMs?: number | undefined;
  /** A larger message closes the connection with 1009, in bytes. @default 4_194_304 */
  readonly maxMessageBytes?: number | undefined;
  /** How long the server may take nothing before the connection is cut, in milliseconds. @default 30_000 */
  readonly writeTimeoutMs?: number | undefined;
  /** How often the server is pinged; one that misses two in a row is dropped, in milliseconds. @default 30_000 */
  readonly pingMs?: number | undefined;
  /** How long `close()` may take, in milliseconds. @default 1_000 */
  readonly closeTimeoutMs?: number | undefined;
}

/** What may wait for the server before `send` refuses more, in characters. */
const maxWaiting = 16_777_216;

/**
 * A WebSocket transport for the official SDK's clients, of 2.x and 1.x: `client.connect(transport)`. One
 * JSON-RPC message per text message, sub-protocol `mcp`. It connects once: make a new one to connect again.
 */
export class WebSocketClientTransport implements WebSocketTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage, extra?: MessageExtra) => void) | undefined;
  readonly #url: URL;
  readonly #options: WebSocketClientOptions;
  readonly #closing = new AbortController();
  #started = false;
  #link: Link | undefined;

  /** @throws TypeError for a URL that is not ws: or wss:, RangeError for numbers out of range. */
  constructor(url: string | URL, options: WebSocketClientOptions = {}) {
    const target = attempt(() => new URL(url));
    if (target === undefined || !/^wss?:$/.test(target.protocol)) {
      throw new TypeError(`Expected \`url\` to begin with ws:// or wss://, got ${shorten(String(url), 100)}`);
    }
    const { connectTimeoutMs, maxMessageBytes, writeTimeoutMs, pingMs, closeTimeoutMs } = options;
    checkNumbers(
      { connectTimeoutMs, maxMessageBytes, writeTimeoutMs, pingMs, closeTimeoutMs },
      { connectTimeoutMs: 1, maxMessageBytes: 1, writeTimeoutMs: 1, pingMs: 1, closeTimeoutMs: 0 },
    );
    this.#url = target;
    this.#options = options;
  }

  /** @throws Error that names the URL, and the status of a server that refuses. */
  async start(): Promise<void> {
    const { aborted } = this.#closing.signal;
    if (this.#started || aborted) {
      const got = aborted ? "a start after it was closed" : "a second start";
      throw new Error(`Expected a transport to be started once, got ${got}; make a new one to connect again`);
    }
    this.#started = true;
    const socket = await dial(this.#url, { ...this.#options, signal: this.#closing.signal });
    if (this.#closing.signal.aborted) throw new Error("The transport was closed");
    this.#link = new Link(socket, clientSink(socket), this, {
      ...this.#options,
      farewell: { code: 1000, reason: "" },
      receive: (text) => this.#receive(text),
    });
    socket.resume();
  }

  /**
   * Resolves when there is room for more: at once, unless the server is behind.
   * @throws Error before the start, once the connection is closed, and when more waits for the server than it
   * is to hold; TypeError for what has no JSON form.
   */
  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#link === undefined)
      throw new Error("Expected the transport to be started before it sends, got a message first");
    if (this.#link.backlog > maxWaiting) throw new Error("The server takes less than it is sent");
    await this.#link.send(message);
  }

  /** Lets what was sent leave, then closes with 1000; cuts a server that takes longer than `closeTimeoutMs`. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#link?.close();
  }

  #receive(text: string): void {
    const message: unknown = attempt(() => JSON.parse(text));
    if (isMessage(message)) return this.#link?.deliver(message);
    this.#link?.report(new Error(`Expected a JSON-RPC message, got ${shorten(text, 100)}`));
  }
}

function isMessage(value: unknown): value is JsonRpcMessage {
  return isObject(value) && value.jsonrpc === "2.0";
}
