// PORT=3000 npm run conformance:server
import { serveHttp } from "mcp-headway/http";
import { createEverythingServer } from "./everything.ts";

const { url, close } = await serveHttp(createEverythingServer(), { port: Number(process.env.PORT ?? 0) });
console.log(url);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => close());
