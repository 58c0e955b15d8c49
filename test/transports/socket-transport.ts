import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { WebSocket } from "ws";

/** What the official client needs to speak over a WebSocket. */
export class SocketTransport implements Transport {
  readonly #url: string;
  #socket: WebSocket | undefined;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(url: string) {
    this.#url = url;
  }

  start(): Promise<void> {
    // One message a task, as browsers do.
    const socket = new WebSocket(this.#url, "mcp", { allowSynchronousEvents: false });
    this.#socket = socket;
    socket.on("message", (data) => this.onmessage?.(JSON.parse(data.toString())));
    socket.on("close", () => this.onclose?.());
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.on("error", (error) => {
        this.onerror?.(error);
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#socket?.close(1000);
  }
}
