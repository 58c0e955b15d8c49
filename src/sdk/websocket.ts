export type { ListeningWebSocket, WebSocketHandle } from "../transports/node.ts";
export { type WebSocketClientOptions, WebSocketClientTransport } from "./websocket-client.ts";
export {
  type ListenOptions,
  type ServeTransportsOptions,
  type ShareOptions,
  serveTransports,
  type TakeTransport,
} from "./websocket-server.ts";
export type { AuthInfo, JsonRpcMessage, MessageExtra, WebSocketTransport } from "./websocket-transport.ts";
