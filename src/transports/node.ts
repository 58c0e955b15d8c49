/** What meets Node and is carried on by other layers: their way in beside `index.ts`, for carriers only. */
export { byteSink } from "./bytes.ts";
export {
  type EndpointOptions,
  type ListeningWebSocket,
  type OwnAddress,
  openEndpoint,
  partLimits,
  type SharedServer,
  subProtocol,
  type WebSocketHandle,
} from "./endpoint.ts";
export { type Farewell, leave } from "./leave.ts";
export { watchLiveness } from "./liveness.ts";
export type { Peer } from "./peer.ts";
export { encodeTextFrames } from "./text-frame.ts";
export { upgradedStream } from "./upgraded-stream.ts";
