/** A JSON-RPC message, as far as a transport looks into it. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | undefined;
  readonly method?: string | undefined;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The SDK's `AuthInfo`: who sent a message. */
export interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** When the token expires, in seconds since the epoch. */
  readonly expiresAt?: number | undefined;
  readonly resource?: URL | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** What is known of a message beside itself. */
export interface MessageExtra {
  readonly authInfo?: unknown;
}

/** What the SDK listens to a transport with. */
export interface Listeners {
  /** Told once, when the connection is closed for whatever reason. */
  onclose?: (() => void) | undefined;
  /** Told of what went wrong; the connection may live on. */
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage, extra?: MessageExtra) => void) | undefined;
}

/**
 * The SDK's `Transport`, structurally: what `connect` of its clients and servers takes, and `serveStdio` as its
 * `transport`.
 */
export interface WebSocketTransport extends Listeners {
  /** Called by the SDK, once, after it has set its listeners. */
  start(): Promise<void>;
  /**
   * Resolves when there is room for more: at once, unless the peer is behind. An update of progress that finds
   * no room may be replaced by a later one of the same token; then it resolves as well.
   * @throws Error once the connection is closed; TypeError for what has no JSON form.
   */
  send(message: JsonRpcMessage): Promise<void>;
  /** Lets what was sent leave, then closes; cuts a peer that takes too long. */
  close(): Promise<void>;
}
