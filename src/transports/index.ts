export { connectMemory, type MemoryConnection } from "./memory.ts";
export type { Sink } from "./pump.ts";
export { Session } from "./serve.ts";
export { warnUnheard } from "./warn.ts";
