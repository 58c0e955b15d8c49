export { type Admission, admit, exchangeOf } from "./admit.ts";
export { Lane } from "./lane.ts";
export { connectMemory, type MemoryConnection } from "./memory.ts";
export { Pump, type PumpOptions, type Sink } from "./pump.ts";
export { Session, type SessionOptions } from "./serve.ts";
