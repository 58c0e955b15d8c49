import { once } from "node:events";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { WebSocket } from "ws";

/** A transport for the official client, which has none for WebSocket: one JSON-RPC message per text frame. */
export class WebSocketClientTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #url: string;
  #socket: WebSocket | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async start(): Promise<void> {
    // The official client takes a notification up a microtask later, but a response at once: of messages that
    // came in one piece it would drop the progress as belonging to no call.
    const socket = new WebSocket(this.#url, "mcp", { allowSynchronousEvents: false });
    this.#socket = socket;
    socket.on("message", (data) => this.onmessage?.(JSON.parse(String(data))));
    socket.on("error", (error) => this.onerror?.(error));
    socket.on("close", () => this.onclose?.());
    await once(socket, "open");
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) throw new Error("Expected the transport to be started");
    await new Promise<void>((resolve, reject) => {
      socket.send(JSON.stringify(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    const closed = once(socket, "close");
    socket.close();
    await closed;
  }
}
