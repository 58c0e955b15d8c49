export { connectMemory, type MemoryConnection } from "./memory.ts";
