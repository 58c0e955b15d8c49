import type { Server } from "node:http";

/** Listens; resolves to `host:port` as it goes into a URL, rejects when the address cannot be had. */
export function listen(
  http: Pick<Server, "once" | "off" | "listen" | "address">,
  host: string,
  port: number,
): Promise<string> {
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
