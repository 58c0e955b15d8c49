export { connectMemory, type MemoryConnection } from "./memory.ts";
export { warnUnheard } from "./warn.ts";
