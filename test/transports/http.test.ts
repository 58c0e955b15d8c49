import { serveHttp } from "mcp-headway/http";
import { describeCarrier } from "./contract.ts";
import { connectHttp } from "./http-client.ts";

describeCarrier(
  "HTTP",
  async (server, { closeGraceMs }) => {
    const handle = await serveHttp(server, { closeGraceMs });
    return { connect: async (era) => connectHttp(handle.url, era), close: () => handle.close() };
  },
  { shared: false },
);
