export {
  type LeavingClientOptions,
  leavingClient,
  type SlowClientOptions,
  slowClient,
  type TestClient,
  type TestClientOptions,
} from "./client.ts";
export { type CollectedProgress, collectProgress, type ProgressCollector } from "./collect.ts";
export type { CallExpectation } from "./expectation.ts";
export type { AsymmetricMatcher, ExpectedEvent } from "./legend.ts";
export { type LifecycleEntry, recordLifecycle } from "./lifecycle.ts";
export { DiagramError, type Marbles, marbles } from "./marbles.ts";
export type { ReceivedMessage } from "./notes.ts";
export { type TestRequest, toolCall } from "./request.ts";
export type { MarbleClient } from "./scene.ts";
export type { Source } from "./subscriptions.ts";
export type { Target } from "./target.ts";
