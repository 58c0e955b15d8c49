export { split } from "./bytes.ts";
export { closingError, InFlight } from "./in-flight.ts";
export type { Lane } from "./lane.ts";
export { connectMemory, type MemoryConnection } from "./memory.ts";
export { checkNumbers } from "./numbers.ts";
export { Pump, type Sink } from "./pump.ts";
export { maxBacklog, Session } from "./serve.ts";
export { after } from "./timer.ts";
export { warnUnheard } from "./warn.ts";
