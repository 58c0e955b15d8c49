import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";

type Take = (request: IncomingMessage, socket: Duplex) => void;

const watches = new WeakSet<object>();

/**
 * The open sockets that have left HTTP, of which their server knows nothing any more. Connections that have not
 * are not touched: there may be thousands. A server for whose upgrades nobody listens takes none, so the watch
 * comes with the first listener and goes with the last.
 */
export function watchUpgraded(http: HttpServer): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  const take: Take = (_request, socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  watches.add(take);
  http.on("newListener", (event, listener) => {
    if (isDeparture(event) && listener !== take && http.listenerCount(event) === 0) http.on(event, take);
  });
  http.on("removeListener", (event, listener) => {
    if (isDeparture(event) && listener !== take && http.listenerCount(event) === 1) http.off(event, take);
  });
  return sockets;
}

/** How many listen for a server's upgrades to serve them. */
export function upgraders(http: HttpServer | HttpsServer): number {
  return http.listeners("upgrade").filter((listener) => !watches.has(listener)).length;
}

function isDeparture(event: string | symbol): event is "upgrade" | "connect" {
  return event === "upgrade" || event === "connect";
}
