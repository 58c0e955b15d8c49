export { type CollectedProgress, collectProgress, type LooseUpdate, type ProgressCollector } from "./collect.ts";
export { type LifecycleEntry, type LifecycleRequest, recordLifecycle } from "./lifecycle.ts";
