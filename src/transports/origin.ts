import type { IncomingMessage } from "node:http";

/** Who may reach a server through a browser. */
export interface OriginPolicy {
  /** Host names, without a port, that count as this server's own beside the loopback ones. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins that may call, exactly as browsers send them: `https://app.example`. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** @throws TypeError for what is no host name, or what no browser sends as an origin. */
export function checkOrigins({ allowedHosts = [], allowedOrigins = [] }: OriginPolicy): void {
  for (const [index, host] of allowedHosts.entries()) {
    if (/^([^\s/?#@,:[\]]+|\[[\da-f:.]+\])$/i.test(host)) continue;
    throw new TypeError(
      `Expected \`allowedHosts[${index}]\` to be a host name without a port, like app.example, got "${host}"`,
    );
  }
  for (const [index, origin] of allowedOrigins.entries()) {
    if (/^[a-z][a-z\d+.-]*:\/\/[^\s/?#,]+$/.test(origin)) continue;
    throw new TypeError(
      `Expected \`allowedOrigins[${index}]\` to be an origin like https://app.example, got "${origin}"`,
    );
  }
}

/** What a request says of where it comes from. */
export interface Provenance {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** Whether it came over TLS. */
  readonly secure: boolean;
  /** Whether it arrived on a loopback address, which only a page's DNS tricks name otherwise. */
  readonly loopback: boolean;
}

/**
 * What is wrong with a request's origin or host, if anything: it is to be answered with 403 before all
 * else. No origin is fine. One must be the very site that was asked, under an allowed host name, or be
 * listed; `null`, which sandboxed frames send, is neither. MCP 2026-07-28, basic/transports/streamable-http,
 * security.
 */
export function originFault(provenance: Provenance, policy: OriginPolicy): string | undefined {
  const { origin, host } = provenance;
  const { allowedHosts = [], allowedOrigins = [] } = policy;
  const name = host?.replace(/:\d{1,5}$/, "").toLowerCase();
  const isAllowed = allowedHosts.some((allowed) => allowed.toLowerCase() === name);
  const isLocal = name !== undefined && loopbackHosts.includes(name);
  // The address is not looked at in vain: Node would keep it for as long as the connection lives.
  if (origin === undefined && (isAllowed || isLocal)) return undefined;
  const { loopback, secure } = provenance;
  const isOwn = isAllowed || (isLocal && loopback);
  if (loopback && !isOwn) return "Host not allowed by `allowedHosts`";
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return isOwn && origin === `${secure ? "https" : "http"}://${host}`
    ? undefined
    : "Origin not allowed by `allowedOrigins`";
}

/** Reads it from a request, of HTTP/2 as well. */
export function provenanceOf(request: Arrival): Provenance {
  return new ArrivalProvenance(request);
}

type Arrival = Pick<IncomingMessage, "headers" | "socket">;

/** Looks at a request only for what it is asked for. */
class ArrivalProvenance implements Provenance {
  readonly #request: Arrival;

  constructor(request: Arrival) {
    this.#request = request;
  }

  get origin(): string | undefined {
    return this.#request.headers.origin;
  }

  get host(): string | undefined {
    const { host, ":authority": authority } = this.#request.headers;
    return host ?? (typeof authority === "string" ? authority : undefined);
  }

  get secure(): boolean {
    const { socket } = this.#request;
    return "encrypted" in socket && socket.encrypted === true;
  }

  /** Whatever the server is bound to, a page's DNS tricks lead to this machine's own addresses. */
  get loopback(): boolean {
    const { localAddress } = this.#request.socket;
    return localAddress !== undefined && isLoopback(localAddress);
  }
}

/** Whether a server that listens on this address is reached from its own machine only. */
function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}

const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
