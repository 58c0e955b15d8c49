import { PassThrough } from "node:stream";
import { serveStdio } from "mcp-headway/stdio";
import { Subject } from "rxjs";
import { describeCarrier } from "./contract.ts";
import type { RawClient } from "./peer.ts";

describeCarrier("stdio", async (server, { closeGraceMs }) => {
  const handles: ReturnType<typeof serveStdio>[] = [];
  return {
    async connect() {
      const input = new PassThrough();
      const output = new PassThrough();
      handles.push(serveStdio(server, { input, output, closeGraceMs, drainMs: 0 }));
      return clientOf(input, output);
    },
    async close() {
      await Promise.all(handles.map((handle) => handle.close()));
    },
  };
});

/** The other end of the two pipes. */
function clientOf(input: PassThrough, output: PassThrough): RawClient {
  const messages = new Subject<string>();
  let rest = "";
  output.setEncoding("utf8");
  output.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) messages.next(line);
  });
  return {
    messages,
    send: (text) => input.write(`${text}\n`),
    close: () => {
      output.destroy();
      input.end();
    },
    pause: () => output.pause(),
    resume: () => output.resume(),
  };
}
