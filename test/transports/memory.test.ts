import { connectMemory } from "../../src/transports/index.ts";
import { describeCarrier } from "./contract.ts";

describeCarrier(
  "memory",
  async (server) => ({ connect: async () => connectMemory(server), close: () => server.close() }),
  { stalls: false },
);
