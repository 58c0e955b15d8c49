export { whenAborted } from "./abort.ts";
export { type Cadence, cadence, checkCadence, defaultCadence } from "./cadence.ts";
export { canonicalJson, isOpaque } from "./canonical.ts";
export { type Diagnostic, Diagnostics } from "./diagnostics.ts";
export type { Dispatch, Exchange, IncomingRequest, Servable } from "./dispatch.ts";
export {
  type ElicitationEvent,
  type ErrorEvent,
  type InputRequiredEvent,
  isTerminal,
  type NotificationEvent,
  type ProgressEvent,
  type RequestEvent,
  type ResultEvent,
  type TerminalEvent,
} from "./event.ts";
export { Line, type LineOptions } from "./line.ts";
export type {
  ClientCapabilities,
  Implementation,
  InputRequest,
  ProgressToken,
  RequestId,
  Result,
} from "./model.ts";
export { inOrder } from "./order.ts";
export type { PulseOptions } from "./pulse.ts";
export { requestStream, type StreamOptions } from "./stream.ts";
export { untilTerminal } from "./terminal.ts";
export { checkDelay, maxTimerMs, unheld } from "./timer.ts";
