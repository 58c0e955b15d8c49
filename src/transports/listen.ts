import type { Server } from "node:http";
import { describeGiven } from "../errors.ts";

/** @throws TypeError or RangeError for what is no address: Node would take a text for the path of a local socket. */
function checkAddress(host: unknown, port: unknown): void {
  if (typeof host !== "string" || host === "") {
    throw new TypeError(`Expected \`host\` to be a host name or an address, got ${describeGiven(host)}`);
  }
  if (typeof port !== "number" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`Expected \`port\` to be an integer between 0 and 65535, got ${describeGiven(port)}`);
  }
}

/** Listens; resolves to `host:port` as it goes into a URL, rejects when the address cannot be had. */
export async function listen(
  http: Pick<Server, "once" | "off" | "listen" | "address">,
  host: string,
  port: number,
): Promise<string> {
  checkAddress(host, port);
  return new Promise((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, () => {
      http.off("error", reject);
      const address = http.address();
      const bound = typeof address === "object" && address !== null ? address.port : port;
      resolve(`${nameOf(host)}:${bound}`);
    });
  });
}

/** Who listens everywhere is reached here too. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
