import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { describeThrown, shorten } from "../errors.ts";
import { after } from "../transports/index.ts";
import { type Peer, partLimits, subProtocol } from "../transports/node.ts";

export interface DialOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly maxMessageBytes?: number | undefined;
  /** Gives up when aborted. */
  readonly signal: AbortSignal;
}

/** What is used of a `ws` client's socket. */
export interface Dialed extends Peer {
  readonly bufferedAmount: number;
  send(data: Uint8Array, options: { binary: false; fin: boolean }, done: (error?: Error | null) => void): void;
}

/**
 * Connects to a server. The socket does not read yet.
 * @throws Error that names the URL, without its secrets, and the status of a server that refuses.
 */
export function dial(url: URL, options: DialOptions): Promise<Dialed> {
  const { headers = {}, connectTimeoutMs = 10_000, maxMessageBytes = 4_194_304, signal } = options;
  const failure = (reason: string, cause?: unknown): Error =>
    new Error(`Cannot connect to ${url.protocol}//${url.host}${url.pathname}: ${reason}`, { cause });
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, subProtocol, {
      headers: { ...headers },
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      // The official client takes a notification up a microtask later, but a response at once: of messages that
      // came in one piece it would drop the progress as belonging to no call.
      allowSynchronousEvents: false,
      ...partLimits,
    });
    const settle = (): void => {
      stop();
      signal.removeEventListener("abort", leave);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const giveUp = (reason: string): void => {
      fail(failure(reason));
      socket.terminate();
    };
    const leave = (): void => giveUp("the transport was closed");
    // The timeout that `ws` knows counts anew from each byte.
    const stop = after(connectTimeoutMs, () => giveUp(`the server did not answer within ${connectTimeoutMs} ms`));
    signal.addEventListener("abort", leave, { once: true });
    socket.once("open", () => {
      settle();
      socket.pause();
      resolve(socket);
    });
    socket.once("unexpected-response", (request, response) => {
      void readRefusal(response).then((reason) => {
        fail(failure(reason));
        request.destroy();
      });
    });
    socket.on("error", (cause) => fail(failure(describeThrown(cause), cause)));
  });
}

/** How much of a refusal is read, in characters. */
const maxReason = 200;

async function readRefusal(response: IncomingMessage): Promise<string> {
  let reason = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      reason += chunk;
      if (reason.length > maxReason) break;
    }
  } catch {
    // The status says enough.
  }
  const status = `the server answered ${response.statusCode} ${response.statusMessage}`.trimEnd();
  return reason === "" ? status : `${status}: ${shorten(reason.trim(), maxReason)}`;
}
